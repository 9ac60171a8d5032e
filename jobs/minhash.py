"""Pairs of texts that may say nearly the same: MinHash over their letters, banded, with a bound on every bucket.

Ten thousand texts that share one frame share every bucket, and all pairs of them would be fifty million. Within a
bucket a text is therefore compared with its neighbours alone, once in the order of its beginning and once in that of
its end: two texts that differ in one place agree before it and behind it, so they stand side by side in one of the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    Array: TypeAlias = Any  # numpy is imported when there is something to compare
    Sieve: TypeAlias = Callable[[Array, Array], Array]

LETTERS = 4  # in one shingle
BANDS = 16
ROWS = 3  # hashes in one band: texts that share 7 shingles of 10 meet with a chance of .998, those that share 1 of .016
NEIGHBOURS = 6
AT_ONCE = 20_000  # texts hashed together: bounds the memory, not the result
SEED = 20261118


def pairs(texts: Sequence[str], kinds: Sequence[int], sieve: Sieve) -> Array:
    """Pairs of numbers of texts of one kind that share a bucket and pass the sieve; each once, the smaller first."""
    import numpy as np

    signatures = _signatures([text.encode() for text in texts])
    kind = np.asarray(kinds, dtype=np.uint64)
    orders = _ranks(texts), _ranks([text[::-1] for text in texts])
    found = [np.empty(0, dtype=np.int64)]
    for bucket in _buckets(signatures, kind):
        for rank in orders:
            for left, right in _beside(bucket, rank):
                kept = sieve(left, right)
                found.append(np.minimum(left[kept], right[kept]) * len(texts) + np.maximum(left[kept], right[kept]))
    unique = np.unique(np.concatenate(found))
    return np.stack([unique // len(texts), unique % len(texts)], axis=1)


def _signatures(texts: Sequence[bytes]) -> Array:
    """The smallest hash of the shingles of each text under each of many hashes; shape (texts, hashes)."""
    import numpy as np

    factors = np.random.default_rng(SEED).integers(1, 2**32, size=BANDS * ROWS, dtype=np.uint32) | np.uint32(1)
    parts = [_hashed(texts[start : start + AT_ONCE], factors) for start in range(0, len(texts), AT_ONCE)]
    return np.concatenate(parts) if parts else np.empty((0, BANDS * ROWS), dtype=np.uint32)


def _hashed(texts: Sequence[bytes], factors: Array) -> Array:
    import numpy as np

    padded = [text.ljust(LETTERS, b" ") for text in texts]
    lengths = np.fromiter(map(len, padded), dtype=np.int64, count=len(padded))
    letters = np.frombuffer(b"".join(padded), dtype=np.uint8).astype(np.uint32)
    several = len(letters) - LETTERS + 1
    shingles = np.zeros(several, dtype=np.uint32)
    for place in range(LETTERS):
        shingles |= letters[place : several + place] << np.uint32(8 * place)
    ends = np.cumsum(lengths)
    whole = np.ones(len(letters), dtype=bool)  # a shingle lies within one text
    for place in range(1, LETTERS):
        whole[ends - place] = False
    mixed = _mixed(shingles[whole[:several]])
    counts = lengths - LETTERS + 1
    starts = np.cumsum(counts) - counts
    return np.stack([np.minimum.reduceat(mixed * factor, starts) for factor in factors], axis=1)


def _mixed(values: Array) -> Array:
    """Values whose every bit depends on every bit: a product alone would let texts of like letters meet."""
    import numpy as np

    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
        values = (values ^ (values >> np.uint32(shift))) * np.uint32(factor)
    return values ^ (values >> np.uint32(16))


def _buckets(signatures: Array, kinds: Array) -> Iterator[Array]:
    """For each band the bucket that every text is in."""
    import numpy as np

    odd = np.uint64(0x9E3779B97F4A7C15)
    for band in range(BANDS):
        bucket = kinds * odd
        for hashes in signatures[:, band * ROWS : (band + 1) * ROWS].T:
            bucket = (bucket ^ hashes.astype(np.uint64)) * odd
            bucket ^= bucket >> np.uint64(29)
        yield bucket


def _beside(bucket: Array, rank: Array) -> Iterator[tuple[Array, Array]]:
    """Texts and their neighbours in the same bucket, at each distance."""
    import numpy as np

    order = np.lexsort((rank, bucket))
    sorted_bucket = bucket[order]
    for distance in range(1, NEIGHBOURS + 1):
        together = np.flatnonzero(sorted_bucket[distance:] == sorted_bucket[:-distance])
        if not len(together):
            return
        yield order[together], order[together + distance]


def _ranks(texts: Sequence[str]) -> Array:
    """The place of each text in the order of all."""
    import numpy as np

    ranks = np.empty(len(texts), dtype=np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return ranks
