"""Makes a table like examples/memo/words.csv from papers whose answers are known (answerable.json):

    build/release/tests/bin/memo_count --passages examples/data/memo-* |
        python3 tools/learn_words.py examples/memo/outline.json > words.csv

For each question a logistic regression (L2) tells passages that answer it from all others, by
their common words; each passage is a vector of length 1. To count what a memo answers about a
company that nobody has seen, leave that company out (--without memo-NAME) and count with that
table. The table in examples/memo was learned from all 36 companies. Needs numpy.
"""

import argparse
import collections
import json
import sys

import numpy

PENALTY = 1 / 5  # of the squared weights
SHARE = 1 / 3  # of the companies whose papers hold a word, at least


def weights_of(rows, answers):
    """The weights of the columns of `rows` and, last, the one of any passage (Newton's method)."""
    rows = numpy.hstack([rows, numpy.ones((len(rows), 1))])
    penalty = numpy.full(rows.shape[1], PENALTY)
    penalty[-1] = 1e-9
    weights = numpy.zeros(rows.shape[1])
    for _ in range(50):
        likely = 1 / (1 + numpy.exp(-rows @ weights))
        slope = rows.T @ (likely - answers) + penalty * weights
        bend = (rows.T * (likely * (1 - likely))) @ rows + numpy.diag(penalty)
        step = numpy.linalg.solve(bend, slope)
        weights -= step
        if abs(step).max() < 1e-8:
            break
    return weights


def common_words(passages):
    """The keys that stand in papers of enough companies; all kinds of answers."""
    companies = collections.defaultdict(set)
    for one in passages:
        for key in one["words"]:
            companies[key].add(one["company"])
    least = SHARE * len({one["company"] for one in passages})
    return sorted(k for k, found in companies.items() if len(found) >= least or k[0] == "@")


def learned(passages, keys, topics):
    """Tenths of log odds, a row for each key and one for any passage; a column for each topic."""
    number = {key: i for i, key in enumerate(keys)}
    rows = numpy.zeros((len(passages), len(keys)))
    for row, one in zip(rows, passages):
        known = [number[key] for key in one["words"] if key in number]
        row[known] = 1 / numpy.sqrt(max(1, len(known)))
    table = numpy.zeros((len(keys) + 1, len(topics)))
    for column, topic in enumerate(topics):
        answers = numpy.array([float(topic in one["answers"]) for one in passages])
        share = answers.mean()
        table[:, column] = weights_of(rows, answers)
        table[-1, column] -= numpy.log(share / (1 - share))  # beside passages on average
    return numpy.rint(10 * table).astype(int)


def written(passages):
    """For each key its commonest form."""
    forms = collections.defaultdict(collections.Counter)
    for one in passages:
        for key, word in one["words"].items():
            forms[key][word] += 1
    return {key: min(found, key=lambda word: (-found[word], word)) for key, found in forms.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("outline", help="examples/memo/outline.json")
    parser.add_argument("--without", action="append", default=[], metavar="memo-NAME")
    arguments = parser.parse_args()
    with open(arguments.outline, encoding="utf-8") as file:
        sections = json.load(file)["sections"]
    passages = [one for one in map(json.loads, sys.stdin) if one["company"] not in arguments.without]
    answered = {topic for one in passages for topic in one["answers"]}
    topics = [topic["id"] for section in sections for topic in section["topics"]]
    topics = [topic for topic in topics if topic in answered]
    keys = common_words(passages)
    table = learned(passages, keys, topics)
    words = written(passages)
    print("word", *topics, sep=",")
    print("*", *table[-1], sep=",")
    for word, row in sorted((words[key], list(row)) for key, row in zip(keys, table)):
        print(word, *row, sep=",")


if __name__ == "__main__":
    main()
