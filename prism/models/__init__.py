"""The models behind Prism and how one is chosen: embedder, language models, reranker."""
