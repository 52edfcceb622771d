/// @file
/// A record to be made, and the only two ways to begin one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/key.hpp"
#include "core/record_format.hpp"
#include "resumable/record.hpp"

namespace resumable::record {

/// The recorder fills in the head's fence and the header's run, key, generation, time and payload
/// size. A payload digest that is already set is trusted. If it is not set, it also becomes the
/// identity, unless that is set: a payload that is not in memory is read only once, on its way into
/// the store.
struct Draft {
  core::Key key;
  std::uint64_t generation = 1;
  core::Head head;
  core::Header header;
  std::shared_ptr<const Payload> payload;
  std::vector<std::pair<std::string, std::uint64_t>> erase;  ///< records that this one replaces
  bool packed =
      false;  ///< the payload is as a store keeps it; else JSON that is to be packed is text
  bool keeps_fence = false;  ///< the head's fence stays: to requests it is as old as it was

  /// A record of the library's own. Its identity is the digest of its bytes.
  [[nodiscard]] static Draft small(core::Kind kind, core::Key key, CodecId codec,
                                   std::string bytes);

  /// A record that holds a value of this type: codec, schema and shape are the type's, the identity
  /// is the digest of the payload. `payload` is what the type's encode() returned; a type without
  /// bytes (Stage<void>) needs none.
  [[nodiscard]] static Draft value(core::Kind kind, core::Key key, const detail::ValueType& type,
                                   std::shared_ptr<const Payload> payload);
};

}  // namespace resumable::record
