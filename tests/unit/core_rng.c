// SPDX-License-Identifier: Apache-2.0
// Random words, uniforms and normals against published answers, exact arithmetic and their own addresses.
#include "core_device.h"

#include "host/normal_table.h"
#include "kernels/philox.h"

#include <string.h>

static nc_device *device;

static uint32_t word_at(uint64_t seed, uint64_t stream, uint64_t index)
{
    uint32_t word = 0;
    nc_array *out = create_vector(device, NC_U32, 1);
    assert_int_equal(nc_rng_words(seed, stream, index, out), NC_OK);
    download(out, &word, sizeof word);
    release(out);
    return word;
}

// Known answers of Random123 (tests/kat_vectors), 10 rounds: of the block function that every kernel uses. Then the last block
// below a carry into the stream for two keys, which must not depend on it. Blocks from 2^62 on have no word index.
static void random123_known_answers(void **state)
{
    static const struct {
        uint64_t low, high, key;
        uint32_t words[4];
    } answers[] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
        {0xffffffffffffffff, 0, 42, {0x8f40bd76, 0x17643835, 0x6fae237c, 0xd013aba5}},
        {0xffffffffffffffff, 0, 0, {0xf3ce744d, 0xdfb9980f, 0x5a7caad1, 0x25d14252}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; ++i) {
        nc_philox block = nc_philox_block(answers[i].key, answers[i].low, answers[i].high);
        assert_memory_equal(block.word, answers[i].words, sizeof answers[i].words);
    }
}

// Word 4 b + lane of (seed, stream) is lane `lane` of the block with counter (b, stream) and key seed: at the addressable known
// answer and at blocks with bits in every word of counter and key.
static void words_are_lanes_of_blocks(void **state)
{
    static const struct {
        uint64_t seed, stream, block;
    } places[] = {
        {0, 0, 0},
        {0x299f31d0a4093822, 0x0370734413198a2e, 0x05a308d3243f6a88},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX >> 2},
        {0x0123456789abcdef, 0xfedcba9876543210, 0x2000000080000001},
        {1, (uint64_t)1 << 32, (uint64_t)1 << 32},
    };
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
        nc_philox block = nc_philox_block(places[i].seed, places[i].block, places[i].stream);
        for (uint32_t lane = 0; lane < 4; ++lane) {
            assert_int_equal(word_at(places[i].seed, places[i].stream, 4 * places[i].block + lane), block.word[lane]);
        }
    }
}

// Addresses chosen so that a carry across any word of the counter, or an exchanged key, changes them. cuRAND's device generator
// gives the same words for curand_init(seed, stream, index).
static void addresses(void **state)
{
    static const struct {
        uint64_t seed, stream, index;
        uint32_t word;
    } known[] = {
        {0, 0, 0, 0x6627e8d5},
        {0, 0, 1, 0xe169c58d},
        {0, 0, 4, 0xf8e4cca4},
        {1234, 0, 0, 0x2090b348},
        {1234, 1, 0, 0xd115a128},
        {0x123456789abcdef0, 0xfedcba9876543210, 0x0f0e0d0c0b0a0908, 0x2f0bc0db},
        {0, 0, ((uint64_t)1 << 34) - 1, 0x2a1ef7a5},
        {0, 0, (uint64_t)1 << 34, 0x6ad0c5ec},
        {0, (uint64_t)1 << 32, 0, 0x2dce73e5},
        {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0x411fcefd},
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i) {
        assert_int_equal(word_at(known[i].seed, known[i].stream, known[i].index), known[i].word);
    }
}

// One call over a range gives what a call for each index gives, across every carry of the counter and up to the last index.
static void ranges_carry_across_the_counter(void **state)
{
    enum { COUNT = 23 };
    static const uint64_t starts[] = {
        0, 1, 2, 3, ((uint64_t)1 << 32) - 9, ((uint64_t)1 << 34) - 10, ((uint64_t)1 << 63) - 11, UINT64_MAX - COUNT + 1};
    (void)state;
    nc_array *out = create_vector(device, NC_U32, COUNT);
    for (size_t s = 0; s < sizeof starts / sizeof starts[0]; ++s) {
        uint32_t words[COUNT];
        assert_int_equal(nc_rng_words(7, 8, starts[s], out), NC_OK);
        download(out, words, sizeof words);
        for (uint64_t i = 0; i < COUNT; ++i) {
            assert_int_equal(words[i], word_at(7, 8, starts[s] + i));
        }
    }
    release(out);
}

typedef nc_status (*fill_function)(uint64_t seed, uint64_t stream, uint64_t first, nc_array *out);

static const struct {
    fill_function fill;
    nc_dtype dtype;
    uint64_t last_index;
} fills[] = {
    {nc_rng_words, NC_U32, UINT64_MAX},
    {nc_rng_uniform, NC_F32, UINT64_MAX},
    {nc_rng_uniform, NC_F64, UINT64_MAX >> 1},
    {nc_rng_uniform_curand, NC_F32, UINT64_MAX},
    {nc_rng_uniform_curand, NC_F64, UINT64_MAX >> 1},
    {nc_rng_normal, NC_F32, UINT64_MAX >> 1},
    {nc_rng_normal, NC_F64, UINT64_MAX >> 1},
};
#define FILLS (sizeof fills / sizeof fills[0])

// Pieces of any length, in any order, equal the whole; a strided output receives the same elements and nothing else is written.
static void pieces_and_views_equal_the_whole(void **state)
{
    enum { COUNT = 101, STRIDE = 3 };
    static const int64_t cuts[] = {0, 1, 2, 6, 7, 11, 18, 50, COUNT};
    (void)state;
    for (size_t f = 0; f < FILLS; ++f) {
        size_t size = nc_dtype_size(fills[f].dtype);
        unsigned char whole[COUNT * 8], pieces[COUNT * 8], spread[COUNT * STRIDE * 8], untouched[8];
        int64_t stride = STRIDE, one = 1, count = COUNT;
        nc_array *out = create_vector(device, fills[f].dtype, COUNT);
        assert_int_equal(fills[f].fill(11, 12, 5, out), NC_OK);
        download(out, whole, COUNT * size);
        memset(pieces, 0xa5, sizeof pieces);
        assert_int_equal(nc_array_upload(out, pieces, COUNT * size), NC_OK);
        for (size_t c = sizeof cuts / sizeof cuts[0] - 1; c > 0; --c) {
            int64_t length = cuts[c] - cuts[c - 1];
            nc_array *piece = view(out, cuts[c - 1], 1, &length, &one);
            assert_int_equal(fills[f].fill(11, 12, 5 + (uint64_t)cuts[c - 1], piece), NC_OK);
            release(piece);
        }
        download(out, pieces, COUNT * size);
        assert_memory_equal(whole, pieces, COUNT * size);
        release(out);

        memset(spread, 0xa5, sizeof spread);
        memset(untouched, 0xa5, sizeof untouched);
        out = create_filled(device, fills[f].dtype, COUNT * STRIDE, spread);
        nc_array *strided = view(out, 0, 1, &count, &stride);
        assert_int_equal(fills[f].fill(11, 12, 5, strided), NC_OK);
        download(out, spread, COUNT * STRIDE * size);
        for (size_t i = 0; i < COUNT * STRIDE; ++i) {
            assert_memory_equal(spread + i * size, i % STRIDE == 0 ? whole + i / STRIDE * size : untouched, size);
        }
        release(strided), release(out);
    }
}

// Where a range begins in memory and in the stream decides which blocks are stored at once, and changes nothing.
static void alignment_changes_nothing(void **state)
{
    enum { COUNT = 13, PLACES = 4 };
    (void)state;
    for (size_t f = 0; f < FILLS; ++f) {
        size_t size = nc_dtype_size(fills[f].dtype);
        int64_t one = 1, count = COUNT;
        unsigned char whole[(COUNT + PLACES) * 8], stored[(COUNT + PLACES) * 8], before[(COUNT + PLACES) * 8];
        nc_array *out = create_vector(device, fills[f].dtype, COUNT + PLACES);
        assert_int_equal(fills[f].fill(21, 22, 0, out), NC_OK);
        download(out, whole, (COUNT + PLACES) * size);
        memset(before, 0x5a, sizeof before);
        for (size_t place = 0; place < PLACES; ++place) {
            nc_array *piece = view(out, (int64_t)place, 1, &count, &one);
            for (size_t first = 0; first < PLACES; ++first) {
                assert_int_equal(nc_array_upload(out, before, (COUNT + PLACES) * size), NC_OK);
                assert_int_equal(fills[f].fill(21, 22, first, piece), NC_OK);
                download(out, stored, (COUNT + PLACES) * size);
                assert_memory_equal(stored, before, place * size);
                assert_memory_equal(stored + place * size, whole + first * size, COUNT * size);
                assert_memory_equal(stored + (place + COUNT) * size, before, (PLACES - place) * size);
            }
            release(piece);
        }
        release(out);
    }
}

static void a_range_past_the_last_index_is_refused(void **state)
{
    (void)state;
    for (size_t f = 0; f < FILLS; ++f) {
        size_t size = nc_dtype_size(fills[f].dtype);
        unsigned char before[2 * 8], after[2 * 8];
        int64_t one = 1;
        memset(before, 0x5a, sizeof before);
        nc_array *two = create_filled(device, fills[f].dtype, 2, before), *single = view(two, 1, 1, &one, &one);
        assert_int_equal(fills[f].fill(1, 2, fills[f].last_index, two), NC_OUT_OF_RANGE);
        assert_non_null(strstr(nc_last_error(), "first = "));
        if (fills[f].last_index != UINT64_MAX) {
            assert_int_equal(fills[f].fill(1, 2, fills[f].last_index + 1, single), NC_OUT_OF_RANGE);
        }
        download(two, after, 2 * size);
        assert_memory_equal(before, after, 2 * size);
        assert_int_equal(fills[f].fill(1, 2, fills[f].last_index, single), NC_OK);
        download(two, after, 2 * size);
        assert_memory_equal(before, after, size);
        release(single), release(two);
    }
}

// The mappings at the ends of their ranges: inside (0,1) for uniform, up to exactly 1 for cuRAND's.
static void uniform_mappings_at_their_ends(void **state)
{
    const uint32_t ones = UINT32_MAX;
    (void)state;
    assert_true(nc_uniform_f32(0) == 0x1p-24f && nc_uniform_f32(ones) == 1.0f - 0x1p-24f);
    assert_true(nc_uniform_f64(0, 0) == 0x1p-53 && nc_uniform_f64(ones, ones) == 1.0 - 0x1p-53);
    assert_true(nc_uniform_f64(0x80000000u, 0) == 0.5 + 0x1p-53 && nc_uniform_f64(0x7fffffffu, ones) == 0.5 - 0x1p-53);
    assert_true(nc_uniform_curand_f32(0) == 0x1p-33f);
    assert_true(nc_uniform_curand_f32(ones - 127) == 1.0f && nc_uniform_curand_f32(ones - 128) < 1.0f);
    assert_true(nc_uniform_curand_f64(0, 0) == 0x1p-54 && nc_uniform_curand_f64(ones ^ 0xffe00000u, ones) == 1.0);
}

// Uniforms are the documented functions of the words with their addresses; normals of the float64 uniforms, rounded once for f32.
static void reals_come_from_their_words(void **state)
{
    enum { COUNT = 64 };
    uint32_t words[2 * COUNT];
    float u32[COUNT], c32[COUNT], n32[COUNT];
    double u64[COUNT], c64[COUNT], n64[COUNT];
    (void)state;
    nc_array *w = create_vector(device, NC_U32, 2 * COUNT);
    nc_array *f = create_vector(device, NC_F32, COUNT), *d = create_vector(device, NC_F64, COUNT);
    assert_int_equal(nc_rng_words(3, 4, 0, w), NC_OK);
    download(w, words, sizeof words);
    assert_int_equal(nc_rng_uniform(3, 4, 0, f), NC_OK);
    download(f, u32, sizeof u32);
    assert_int_equal(nc_rng_uniform_curand(3, 4, 0, f), NC_OK);
    download(f, c32, sizeof c32);
    assert_int_equal(nc_rng_normal(3, 4, 0, f), NC_OK);
    download(f, n32, sizeof n32);
    assert_int_equal(nc_rng_uniform(3, 4, 0, d), NC_OK);
    download(d, u64, sizeof u64);
    assert_int_equal(nc_rng_uniform_curand(3, 4, 0, d), NC_OK);
    download(d, c64, sizeof c64);
    assert_int_equal(nc_rng_normal(3, 4, 0, d), NC_OK);
    download(d, n64, sizeof n64);
    for (size_t i = 0; i < COUNT; ++i) {
        uint32_t w0 = words[2 * i], w1 = words[2 * i + 1];
        uint64_t k = (uint64_t)w0 * 1048576u + w1 / 4096u;
        assert_true(u32[i] == ((float)(words[i] / 512u) + 0.5f) / 8388608.0f);
        assert_true(u64[i] == ((double)k + 0.5) / 4503599627370496.0);
        assert_true(c32[i] == nc_uniform_curand_f32(words[i]) && c64[i] == nc_uniform_curand_f64(w0, w1));
        assert_true(n64[i] == nc_normal_quantile(nc_normal_table, u64[i]) && n32[i] == (float)n64[i]);
        assert_true((n64[i] < 0.0) == (u64[i] < 0.5));
    }
    release(w), release(f), release(d);
}

static int open_device(void **state)
{
    (void)state;
    return nc_device_open("0", &device) != NC_OK;
}

static int close_it(void **state)
{
    (void)state;
    return nc_device_close(device) != NC_OK;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_device, close_it)
static const struct CMUnitTest tests[] = {
    TEST(random123_known_answers),
    TEST(words_are_lanes_of_blocks),
    TEST(addresses),
    TEST(ranges_carry_across_the_counter),
    TEST(pieces_and_views_equal_the_whole),
    TEST(alignment_changes_nothing),
    TEST(a_range_past_the_last_index_is_refused),
    TEST(uniform_mappings_at_their_ends),
    TEST(reals_come_from_their_words),
};

UNIT_MAIN(tests)
