"""The words of the demo corpus: small, hand-written, and free of any real document."""

from __future__ import annotations

__all__ = ["COMMON", "FAMILY_NAMES", "GIVEN_NAMES", "OPENINGS", "SENTENCES", "TOPICS", "VENUES"]


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))


#: Category -> its topics -> their words. A document has one category and one of its topics.
TOPICS: dict[str, tuple[tuple[str, ...], ...]] = {
    "astronomy": (
        _split(
            "star, galaxy, black hole, supernova, accretion disk, redshift, nebula, dark matter, quasar, luminosity"
        ),
        _split(
            "telescope, mirror, sky survey, photometry, spectrograph, exposure, light curve, catalogue, aperture, lens"
        ),
        _split("planet, orbit, transit, dwarf star, moon, asteroid, comet, tidal force, atmosphere, eclipse"),
    ),
    "botany": (
        _split("leaf, root, stem, seedling, chlorophyll, canopy, stomata, shoot, bud, water stress"),
        _split("pollen, flower, petal, seed dispersal, nectar, pollinator, fruit, germination, hybrid, stamen"),
        _split("moss, fern, forest, grassland, shrub, herbarium, soil fungus, species, meadow, understorey"),
    ),
    "geology": (
        _split("basalt, magma, volcano, lava flow, crater, mantle, eruption, crystal, ash layer, caldera"),
        _split("sediment, sandstone, fossil, river delta, limestone, erosion, basin, clay, shale, moraine"),
        _split("fault, earthquake, plate margin, shock wave, fracture, slip, crust, uplift, tremor, ridge"),
    ),
    "linguistics": (
        _split("vowel, consonant, syllable, tone, speech sound, accent, pitch, phoneme, rhyme, dialect"),
        _split("noun, verb, word order, clause, tense, relative clause, agreement, pronoun, affix, syntax"),
        _split(
            "speaker, bilingual child, loanword, meaning, discourse, translation, narrative, idiom, gesture, saying"
        ),
    ),
    "public health": (
        _split(
            "vaccine, infection, outbreak, contact tracing, virus, immunity, transmission, fever, epidemic, carrier"
        ),
        _split("diet, obesity, blood pressure, smoking, exercise, diabetes, risk factor, sleep, stroke, cholesterol"),
        _split("clinic, patient, nurse, health insurance, screening, hospital, waiting list, midwife, referral, ward"),
    ),
    "robotics": (
        _split("robot arm, gripper, joint, torque, grasp, actuator, end effector, finger, linkage, motor"),
        _split("path planning, obstacle, mobile robot, map, corridor, wheel, laser scan, collision, navigation, drone"),
        _split(
            "controller, sensor fusion, camera, feedback loop, calibration, gait, balance, simulator, latency, servo"
        ),
    ),
}

#: Words that say nothing about the category.
COMMON = _split(
    "sample, method, result, model, effect, measure, pattern, change, range, structure, process, signal, "
    "estimate, scale, rate, region, group, difference, condition, source, level, response, distribution, "
    "theory, record, period, comparison, experiment, average, variation, boundary, sequence, pilot study, "
    "data set, long term, case study, new approach"
)

#: What documents begin with; {a} and {b} are words of the topic, {c} is a common one.
OPENINGS = (
    "The {c} of {a} and {b}",
    "On {a} under changing {b}",
    "A {c} of {a} with {b}",
    "How {a} shapes {b}",
    "From {a} to {b}: a {c}",
    "{a} and {b}, a second look at the {c}",
    "Ten years of {a}: {c} and {b}",
    "Notes on the {c} between {a} and {b}",
)

#: What documents go on with.
SENTENCES = (
    "We describe the {c} of {a} and its link to {b}.",
    "Earlier work looked at {a} alone, while we follow {b} and {a} over a whole {c}.",
    "The {c} shows that {a} depends on {b} more than on {d}.",
    "Using a simple {c}, we compare {a} with {b}.",
    "A larger {c} of {b} would tell whether {a} plays a part.",
    "Where {a} is rare, {b} takes over.",
    "Our {c} suggests that {d} and {b} are often mistaken for {a}.",
    "We find no {c} between {a} and {d}, but a clear one with {b}.",
    "The role of {b} in {a} is still open.",
    "Each {c} was repeated with {a} held fixed and {b} left free.",
)

GIVEN_NAMES = _split(
    "Ada, Amir, Anja, Bela, Carla, Chidi, Dana, Elif, Emil, Farah, Goran, Hana, Ines, Ivo, Jamal, Jun, Kaya, "
    "Lars, Leila, Marek, Mina, Nadia, Noor, Olga, Omar, Petra, Rafael, Rosa, Sami, Sofia, Tariq, Tove, Uma, "
    "Viktor, Wen, Yara, Yusuf, Zoé"
)
FAMILY_NAMES = _split(
    "Abara, Almeida, Arslan, Bauer, Benítez, Berg, Chandra, Costa, Dahl, Deng, Farkas, Fontaine, Gruber, "
    "Haddad, Ito, Jansen, Kaplan, Keller, Kovač, Lindqvist, Lund, Mbeki, Moreau, Nakamura, Novák, O'Brien, "
    "Okafor, Olsen, Pereira, Quist, Rossi, Sato, Silva, Stein, Tanaka, Ünal, Vargas, Weiss, Yilmaz, Zhang"
)

#: Names that give no category away: what a venue stands for changes over the years.
VENUES = (
    "Annals of Field Studies",
    "Bulletin of the Northern Academy",
    "Current Inquiry",
    "General Proceedings",
    "Harbour Letters",
    "International Review of Results",
    "Journal of Careful Measurement",
    "Meridian Reports",
    "Open Transactions",
    "Quarterly of the New Society",
    "Symposium on Methods",
    "The Winter Conference",
)
