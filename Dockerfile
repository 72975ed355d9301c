FROM python:3.12-slim

WORKDIR /src
COPY pyproject.toml README.md* ./
COPY rules rules
COPY protocol protocol
COPY server server
COPY client client
RUN pip install --no-cache-dir '.[server]'

# What the server writes, it writes here: mount a volume to keep it.
RUN useradd --create-home --uid 10001 acerace
USER acerace
WORKDIR /home/acerace

EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/healthz', timeout=2)"]
CMD ["acerace", "serve", "--host", "0.0.0.0", "--port", "8080"]
