// SPDX-License-Identifier: Apache-2.0
// The arrays of a table of wrong arguments: made full of poison, which a refused call leaves as it is. Include it behind the type
// `fixture`, which has the devices `device` and `second`, the macro FORMS(A) with a row A(member, dtype, rank, extent, columns,
// device) for each array, and MOST_BYTES, the size of the largest.
enum { POISON = 0x3c }; // a finite number of every dtype

static const struct {
    size_t offset;
    nc_dtype dtype;
    int32_t rank;
    int64_t shape[2];
    size_t device;
} forms[] = {
#define FORM(member, dtype, rank, extent, columns, device)                                                                         \
    {offsetof(fixture, member), dtype, rank, {extent, columns}, offsetof(fixture, device)},
    FORMS(FORM)};
enum { ARRAYS = sizeof forms / sizeof forms[0] };

static nc_array **array_at(fixture *f, size_t i)
{
    return (nc_array **)(void *)((unsigned char *)f + forms[i].offset);
}

static size_t array_bytes(size_t i)
{
    int64_t count = forms[i].rank == 0 ? 1 : forms[i].shape[0] * (forms[i].rank == 2 ? forms[i].shape[1] : 1);
    return (size_t)count * nc_dtype_size(forms[i].dtype);
}

static void arrays_make(fixture *f)
{
    unsigned char poison[MOST_BYTES];
    memset(poison, POISON, sizeof poison);
    for (size_t i = 0; i < ARRAYS; ++i) {
        nc_device *device = *(nc_device **)(void *)((unsigned char *)f + forms[i].device);
        *array_at(f, i) = create(device, forms[i].dtype, forms[i].rank, forms[i].shape);
        assert_int_equal(nc_array_upload(*array_at(f, i), poison, array_bytes(i)), NC_OK);
    }
}

static void assert_arrays_untouched(fixture *f, const char *name)
{
    for (size_t i = 0; i < ARRAYS; ++i) {
        unsigned char now[MOST_BYTES], poison[MOST_BYTES];
        memset(poison, POISON, sizeof poison);
        download(*array_at(f, i), now, array_bytes(i));
        if (memcmp(now, poison, array_bytes(i)) != 0) {
            fail_msg("%s wrote to array %zu", name, i);
        }
    }
}

static void arrays_release(fixture *f)
{
    for (size_t i = 0; i < ARRAYS; ++i) {
        release(*array_at(f, i));
    }
}
