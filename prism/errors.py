"""The one error tree of Prism, split by what the caller can do about it.

    PrismError
    ├── UsageError                the call is wrong: change the call
    │   ├── SettingsError         a setting is unknown, out of range, or contradicts another
    │   ├── NotFoundError         no such document, conversation, trace, job or page
    │   └── NotAllowedError       the settings forbid it (consent, a limit): change the setting
    ├── SourceError               this one file cannot be read: the rest of the batch goes on
    │   ├── UnreadableError       damaged, locked, or not what its name says
    │   ├── UnsupportedError      no reader for this kind of file
    │   └── TooLargeError         over a stated limit
    ├── ModelError                a model is missing, unfit or failing
    │   ├── ModelMissingError     no files where the setting points: install or set the path
    │   ├── ModelUnfitError       files are there but of another kind: choose another model
    │   └── ModelCallError        the model was called and failed: try again, or another model
    ├── StoreError                the storage folder cannot be used as it is
    │   ├── StoreMismatchError    built with another model or tokenizer: rebuild
    │   ├── StoreBusyError        another process owns the folder: stop it, or use another folder
    │   └── StoreDamagedError     a file of the store is broken: rebuild or restore
    └── SearchError               retrieval itself failed: no answer was attempted

Every message names the file or setting concerned, the limit if there is one, and the next step.
"""

from __future__ import annotations


class PrismError(Exception):
    """Root of everything Prism raises on purpose. `str(error)` is fit to show to a person."""


class UsageError(PrismError):
    """The call itself is wrong."""


class SettingsError(UsageError):
    """A setting is unknown, out of range, or contradicts another."""


class NotFoundError(UsageError):
    """No document, conversation, trace, job or page of that name."""


class NotAllowedError(UsageError):
    """The settings forbid what was asked."""


class SourceError(PrismError):
    """One source cannot be ingested; the others can."""


class UnreadableError(SourceError):
    """The file is damaged, locked, or not what its name says."""


class UnsupportedError(SourceError):
    """There is no reader for this kind of file."""


class TooLargeError(SourceError):
    """The file is over a limit; the message states it."""


class ModelError(PrismError):
    """A model is missing, unfit or failing."""


class ModelMissingError(ModelError):
    """No model files where the setting points."""


class ModelUnfitError(ModelError):
    """The files are a model, but not of the kind this place needs."""


class ModelCallError(ModelError):
    """The model was called and failed (timeout, refusal, broken stream, bad output)."""


class StoreError(PrismError):
    """The storage folder cannot be used as it is."""


class StoreMismatchError(StoreError):
    """The index was built with another embedder, dimension or tokenizer."""


class StoreBusyError(StoreError):
    """Another process owns this storage folder."""


class StoreDamagedError(StoreError):
    """A file of the storage folder is broken."""


class SearchError(PrismError):
    """Every retrieval leg failed, so nothing can be answered."""
