"""Settings from a TOML file, below the environment and the command line."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from acerace_server.config import Config, read_config
from acerace_server.config_file import ConfigFileError, read_config_file


def written(folder: Path, text: str) -> Path:
    path = folder / "acerace.toml"
    path.write_text(text, encoding="utf-8")
    return path


EVERYTHING = """
host = "::1"
port = 9000
data = "/srv/acerace"
memory = true
durability = "full"
seed = "s"
origin = ["https://a.example", "https://b.example"]
commands-per-second = 99
house-bots = false
log_level = "warning"
tls-certificate = "a.pem"
tls-key = "b.pem"
trusted-proxy = ["10.0.0.0/8", "::1"]
connections-per-address = 7
"""


def test_every_setting_can_come_from_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, EVERYTHING)
    assert read_config(["--config", str(path)], {}) == Config(
        host="::1",
        port=9000,
        data=Path("/srv/acerace"),
        memory=True,
        durability="full",
        seed="s",
        origins=("https://a.example", "https://b.example"),
        commands_per_second=99,
        house_bots=False,
        log_level="warning",
        tls_certificate=Path("a.pem"),
        tls_key=Path("b.pem"),
        trusted_proxy=(ip_network("10.0.0.0/8"), ip_network("::1")),
        connections_per_address=7,
    )
    assert len(read_config_file(path)) == len([*Config.__slots__])  # none was forgotten above


def test_the_environment_wins_over_the_file_and_the_command_line_over_both(tmp_path: Path) -> None:
    path = written(tmp_path, 'host = "::1"\nport = 1\nlog-level = "error"\nmemory = true')
    environ = {"ACERACE_CONFIG": str(path), "ACERACE_PORT": "2", "ACERACE_LOG_LEVEL": "debug", "ACERACE_MEMORY": "0"}
    config = read_config(["--log-level", "info"], environ)
    assert (config.host, config.port, config.log_level, config.memory) == ("::1", 2, "info", False)


def test_no_file_is_asked_for_none_is_read() -> None:
    assert read_config([], {"ACERACE_CONFIG": ""}) == Config()


def test_of_the_environment_only_what_is_a_setting_is_looked_at() -> None:
    """Other programs put names there as well, such as Kubernetes for a service."""
    assert read_config([], {"ACERACE_SERVICE_HOST": "10.0.0.1", "ACERACE_PROT": "9"}) == Config()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('prot = "x"', "there is no setting 'prot'"),
        ('config = "other.toml"', "there is no setting 'config'"),
        ('port = "x"', "'x' is no port"),
        ("port = 8080.5", "neither text"),
        ("[port]\nx = 1", "neither text"),
        ("port =", "Invalid value"),
        ('trusted-proxy = ["10.0.0.1/8"]', "10.0.0.1/8"),
        ('tls-key = "a.pem"', "go together"),
    ],
)
def test_what_makes_no_sense_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        read_config(["--config", str(written(tmp_path, text))], {})
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_a_file_that_is_not_there_or_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(ConfigFileError, match="No such file"):
        read_config_file(tmp_path / "nowhere.toml")
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigFileError, match=r"binary\.toml: \S"):
        read_config_file(path)
