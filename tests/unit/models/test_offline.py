from prism.models.offline import OFFLINE_ENVIRONMENT, stay_offline


def test_every_switch_is_set():
    environ: dict[str, str] = {}
    stay_offline(environ)
    assert environ == OFFLINE_ENVIRONMENT
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
