// SPDX-License-Identifier: Apache-2.0
#include "checksum.h"
#include "cupel.h"

#include <array>
#include <cstring>

// Known answers: Python's zlib.adler32 gives the same.
static void known_answers(cupel_context *context)
{
    const char text[] = "Wikipedia";
    const unsigned char none = 0;
    cupel_expect_u64(context, checksum_adler32(&none, 0), 1);
    cupel_expect_u64(context, checksum_adler32(reinterpret_cast<const unsigned char *>(text), std::strlen(text)), 0x11e60398);
}

// 5552 bytes of 255 are the most whose sums fit 32 bits without a reduction, so a wrong modulus shows.
static void long_input(cupel_context *context)
{
    std::array<unsigned char, 100000> bytes{};
    bytes.fill(0xff);
    const uint32_t actual = checksum_adler32(bytes.data(), bytes.size());
    const uint32_t expected = 0x149a302c;
    cupel_expect_same(context, NC_U32, &actual, &expected, 1);
}

static const cupel_case cases[] = {
    CUPEL_CASE("checksum.known-answers", known_answers),
    CUPEL_CASE("checksum.long-input", long_input),
};
static const cupel_table table = CUPEL_TABLE(cases);
static const cupel_table *const tables[] = {&table};

const cupel_suite cupel_this_suite = CUPEL_SUITE("checksum", tables);
