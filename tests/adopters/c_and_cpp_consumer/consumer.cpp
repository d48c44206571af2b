// SPDX-License-Identifier: Apache-2.0
#include "nc.h"

#include <iostream>
#include <memory>
#include <vector>

struct release {
    void operator()(nc_device *device) const { nc_device_close(device); }
    void operator()(nc_array *array) const { nc_array_release(array); }
};

int main()
{
    nc_device *opened = nullptr;
    if (nc_device_open("0", &opened) != NC_OK) {
        std::cerr << nc_last_error() << '\n';
        return 1;
    }
    const std::unique_ptr<nc_device, release> device(opened);
    nc_device_info info;
    NC_STRUCT_INIT(&info);
    const int64_t count = 4;
    nc_array *created = nullptr;
    if (nc_device_info_get(device.get(), &info) != NC_OK ||
        nc_array_create(device.get(), NC_U32, 1, &count, &created) != NC_OK) {
        std::cerr << nc_last_error() << '\n';
        return 1;
    }
    const std::unique_ptr<nc_array, release> array(created);
    std::vector<uint32_t> words(4);
    if (nc_rng_words(0, 0, 0, array.get()) != NC_OK ||
        nc_array_download(array.get(), words.data(), words.size() * sizeof words[0]) != NC_OK) {
        std::cerr << nc_last_error() << '\n';
        return 1;
    }
    std::cout << "C++, " << info.platform << ": " << std::hex << words[0] << '\n';
    return words[0] == 0x6627e8d5 ? 0 : 1; // Philox4x32-10 of zeros, a known answer of Random123
}
