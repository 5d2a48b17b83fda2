# Spark's master or worker with hin installed: every worker needs the same Python and the same hin as the driver.
FROM python:3.11-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends openjdk-17-jre-headless \
 && rm -rf /var/lib/apt/lists/*
COPY . /hin
RUN pip install --no-cache-dir --constraint /hin/constraints.txt '/hin[spark]'
ENV SPARK_HOME=/usr/local/lib/python3.11/site-packages/pyspark PYSPARK_PYTHON=python
RUN mkdir -p /opt/spark-conf
ENV SPARK_CONF_DIR=/opt/spark-conf
# The secret comes with the container, never with the image.
ENTRYPOINT ["sh", "-c", "umask 077; printf 'spark.authenticate true\\nspark.authenticate.secret %s\\n' \"$SPARK_SECRET\" > $SPARK_CONF_DIR/spark-defaults.conf; exec $SPARK_HOME/bin/spark-class \"$@\"", "spark"]
