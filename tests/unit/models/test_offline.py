import pytest

from prism.models.offline import (
    HUB_SWITCHES,
    OFFLINE_ENVIRONMENT,
    SET_BY_PRISM,
    may_fetch,
    online_environment,
    stay_offline,
)


def test_every_switch_is_set():
    environ: dict[str, str] = {}
    stay_offline(environ)
    assert environ == OFFLINE_ENVIRONMENT | {SET_BY_PRISM: " ".join(OFFLINE_ENVIRONMENT)}
    assert environ["HF_HUB_OFFLINE"] == "1"


def test_a_value_of_the_surrounding_application_is_respected():
    environ = {"TOKENIZERS_PARALLELISM": "true"}
    stay_offline(environ)
    assert environ["TOKENIZERS_PARALLELISM"] == "true"


def test_dep_07_telemetry_is_off():
    environ: dict[str, str] = {}
    stay_offline(environ)
    assert environ["ANONYMIZED_TELEMETRY"] == "False"
    assert environ["HF_HUB_DISABLE_TELEMETRY"] == "1"
    assert environ["GRADIO_ANALYTICS_ENABLED"] == "False"


@pytest.mark.parametrize("switch", HUB_SWITCHES)
@pytest.mark.parametrize("value", ["1", "true", "ON"])
def test_fetching_is_forbidden_where_somebody_else_is_offline(switch, value):
    environ = {switch: value}
    assert not may_fetch(environ)
    stay_offline(environ)
    assert not may_fetch(environ)


def test_what_prism_switched_off_itself_forbids_nothing():
    environ: dict[str, str] = {}
    assert may_fetch(environ)
    stay_offline(environ)
    stay_offline(environ)
    assert may_fetch(environ)
    assert may_fetch({"HF_HUB_OFFLINE": "0"})


def test_a_process_that_may_fetch_is_online_and_otherwise_as_quiet():
    environ = {"PATH": "/bin", "HF_HUB_OFFLINE": "1"}
    online = online_environment(environ)
    assert [online[name] for name in HUB_SWITCHES] == ["0", "0"]
    assert online["HF_HUB_DISABLE_TELEMETRY"] == online["HF_HUB_DISABLE_IMPLICIT_TOKEN"] == "1"
    assert online["PATH"] == "/bin"
    assert environ == {"PATH": "/bin", "HF_HUB_OFFLINE": "1"}
