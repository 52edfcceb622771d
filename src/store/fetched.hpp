/// @file
/// One answer of get_many().
#pragma once

#include "resumable/store.hpp"

namespace resumable::store {

/// What `get` returns or, of errors that concern this record alone, throws.
template <class Get>
Fetched fetched(std::size_t index, const Get& get) {
  Fetched one{.index = index};
  try {
    one.record = get();
  } catch (const Error& error) {
    const Errc code = error.errc();
    const bool of_record = code == Errc::damaged || code == Errc::unreadable ||
                           code == Errc::newer || code == Errc::foreign;
    if (!of_record) throw;
    one.error = error;
  }
  return one;
}

}  // namespace resumable::store
