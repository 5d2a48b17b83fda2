"""The systems with settings for a few hundred short documents, so that tests take seconds."""

from __future__ import annotations

from dataclasses import replace

from classify.comparators import SYSTEMS
from classify.comparators.hgt import HGT
from classify.comparators.hin2vec import Hin2Vec
from classify.comparators.meta import META
from classify.comparators.metacat import MetaCat
from classify.comparators.metapath2vec import Metapath2Vec
from classify.comparators.parts.self_training import SelfTrainingOptions
from classify.comparators.parts.skip_gram import SkipGramOptions
from classify.comparators.westclass import CNN, WeSTClass, WeSTClassMetadata

VECTORS = SkipGramOptions(tokens=300_000)
_QUICK = replace(CNN, epochs=40, hidden=0, batch=32)


def west(kind=WeSTClass):
    short = SelfTrainingOptions(iterations=20, interval=5)
    return kind(documents=60, words=6, vectors=VECTORS, cnn=_QUICK, self_training=short)


def meta(iterations=4):
    return META(iterations=iterations, vectors=VECTORS, batch=16, epochs=15, later=6, units=25)


SMALL = {
    "westclass": west,
    "westclass-metadata": lambda: west(WeSTClassMetadata),
    "metacat": lambda: MetaCat(samples=1_000_000, length=30, documents=30, cnn=replace(_QUICK, epochs=20)),
    "meta": lambda: meta(2),
    "metapath2vec": lambda: Metapath2Vec(tokens=600_000),
    "hin2vec": lambda: Hin2Vec(batch=512),
    "hgt": lambda: HGT(steps=5, width=32, batch=64),
}


def small(name):
    """The system with small settings, or as it is."""
    return SMALL.get(name, SYSTEMS.get(name))()
