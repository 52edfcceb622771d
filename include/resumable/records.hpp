/// @file
/// The values that a run has recorded, read without its pipeline and without running anything.
///
///     const rs::Records records{store, "fernstone-v0.0.3"};
///     if (const auto deck = records.input<Deck>("deck")) show(deck->value);
///     const auto title = records.stage<std::string>("memo", "/title");
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/codec.hpp"
#include "resumable/export.hpp"
#include "resumable/store.hpp"
#include "resumable/time.hpp"

namespace resumable {
inline namespace v0 {

namespace detail {
struct RecordsData;
}  // namespace detail

/// A value as it was recorded.
template <class T>
struct Recorded {
  T value;
  Timestamp at;  ///< when it was committed
};

/// The records of a run at the time of construction. Another process may own the run in the
/// meantime. A value is the newest intact one, whether or not a plan would keep it; a damaged
/// record is skipped in favour of the previous one. Takes no lock and writes nothing. Finding the
/// records costs as much as a plan; a value is read from the store each time you ask for it. Not
/// safe to use from several threads at once.
///
/// With a JSON pointer (RFC 6901), the accessors decode only the part of the value that it names,
/// as a T. The part is found as it was saved, without the migrations of the value's schema. The
/// bytes of the whole value are read and verified; those of CBOR and MessagePack are also decoded.
///
/// What the program has renamed is found by its present name, as the last call declared it, and by
/// the name in the records.
///
/// Accessors return nullopt if nothing was recorded, the value was dropped after use
/// (Keep::until_used), or it has no such part.
/// @throws Error{Errc::bad_option}  a pointer that is not empty and does not begin with a slash
/// @throws Error{Errc::damaged}  none of its records is intact: the next resume() in this process
///         makes the value again, one in another process only with verify_payloads;
///         Error{Errc::not_decodable}, Error{Errc::newer}  it is not a T, or has a later schema, or
///         a part is asked for and the value is not JSON;
///         Error{Errc::unreadable}
class RESUMABLE_EXPORT Records {
 public:
  /// A run that does not exist has no records. The store must outlive the object.
  /// @throws Error{Errc::bad_name}, Error{Errc::unreadable}, Error{Errc::newer}
  Records(const CheckpointStore& store, std::string run);
  ~Records();
  Records(Records&&) noexcept;
  Records& operator=(Records&&) noexcept;

  /// The pipeline that the run belongs to; "" if nothing was recorded.
  [[nodiscard]] std::string pipeline() const;
  template <class T>
  [[nodiscard]] std::optional<Recorded<T>> input(std::string_view name,
                                                 std::string_view pointer = "") const {
    return as<T>(
        read({.kind = Kind::input, .name = name, .pointer = pointer}, detail::value_type<T>()));
  }
  template <class T>
  [[nodiscard]] std::optional<Recorded<T>> stage(std::string_view name,
                                                 std::string_view pointer = "") const {
    return as<T>(
        read({.kind = Kind::value, .name = name, .pointer = pointer}, detail::value_type<T>()));
  }
  /// The value of one item of a fan-out.
  template <class T>
  [[nodiscard]] std::optional<Recorded<T>> item(std::string_view stage, std::string_view key,
                                                std::string_view pointer = "") const {
    return as<T>(read({.kind = Kind::value, .name = stage, .item = key, .pointer = pointer},
                      detail::value_type<T>()));
  }
  /// The keys of the items of a fan-out that have a value, in the order of their records' paths.
  [[nodiscard]] std::vector<std::string> items(std::string_view stage) const;
  /// The last entry that a stage, or an item of it, has pushed to a history.
  template <class T>
  [[nodiscard]] std::optional<Recorded<T>> last_entry(std::string_view stage,
                                                      std::string_view history = "history",
                                                      std::string_view item = "",
                                                      std::string_view pointer = "") const {
    return as<T>(read(
        {.kind = Kind::entry, .name = stage, .item = item, .inside = history, .pointer = pointer},
        detail::value_type<T>()));
  }

 private:
  enum class Kind : std::uint8_t { input, value, entry };
  struct Wanted {
    Kind kind = Kind::value;
    std::string_view name;
    std::string_view item = "";
    std::string_view inside = "";
    std::string_view pointer = "";  ///< "" for the whole value
  };
  struct Found {
    detail::AnyValue value;
    Timestamp at;
  };
  template <class T>
  static std::optional<Recorded<T>> as(std::optional<Found> found) {
    if (!found) return std::nullopt;
    return Recorded<T>{*static_cast<const T*>(found->value.get()), found->at};
  }
  [[nodiscard]] std::optional<Found> read(const Wanted& wanted,
                                          const detail::ValueType& type) const;

  std::unique_ptr<detail::RecordsData> data_;
};

}  // namespace v0
}  // namespace resumable
