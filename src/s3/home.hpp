/// @file
/// The folder of a store's objects in the bucket.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/store.hpp"
#include "s3/mark.hpp"
#include "s3/objects.hpp"

namespace resumable::s3 {

/// Which value an object is.
struct Value {
  std::string run;
  std::string path;  ///< of the record that names the object
  std::uint64_t generation = 0;
  Reference reference;
};

/// Of a folder, or of what a lease stores. @throws Error{Errc::store_failed}
[[nodiscard]] std::string random_name();

/// The folder has a random name, which a record of the store's run `@payloads` holds: so two stores
/// may have one bucket and prefix, and neither takes the other's objects for its own. An object in
/// the folder, the mark, shows that this is the right bucket. The key of a value is
/// `prefix/folder/run/name`: what a name begins with is random and of one lease, so that no other
/// lease ever stores an object that has it. Safe to use from several threads.
class Home {
 public:
  Home(CheckpointStore& records, const S3Options& options) : records_(records), objects_(options) {}

  [[nodiscard]] Objects& objects() noexcept { return objects_; }
  [[nodiscard]] const Objects& objects() const noexcept { return objects_; }

  /// nullopt: nothing was ever stored.
  /// @throws Error{Errc::unreadable}, Error{Errc::cancelled}
  [[nodiscard]] std::optional<std::string> folder(const Wait& wait);

  /// Makes the folder where it is missing, and checks that objects can be stored in it.
  /// @throws Error{Errc::store_failed}, Error{Errc::unreadable}, Error{Errc::bad_option},
  ///         Error{Errc::cancelled}
  void prepare(const Wait& wait);

  /// Of a run's objects: what their keys begin with. @pre a folder
  [[nodiscard]] std::string run_prefix(std::string_view run, const Wait& wait);

  /// The bytes of a value from the offset `at` on.
  /// @throws Error{Errc::damaged}  it is missing, or has another size
  /// @throws Error{Errc::unreadable}  the record is gone, too; or as Objects::get()
  /// @throws Error{Errc::cancelled}
  [[nodiscard]] std::string read(const Value& value, std::uint64_t at, std::uint64_t size,
                                 const Wait& wait);

 private:
  [[nodiscard]] std::string mark_key(std::string_view folder) const;
  void check_mark(std::string_view folder, const Wait& wait);
  [[nodiscard]] std::string make_folder(const Wait& wait);

  CheckpointStore& records_;
  Objects objects_;
  std::mutex guard_;
  std::optional<std::string> folder_;
  bool prepared_ = false;
};

/// The value of a record, downloaded when it is read. Keeps `home`.
[[nodiscard]] std::shared_ptr<const Payload> payload_of(std::shared_ptr<Home> home, Value value,
                                                        std::stop_token stop);

}  // namespace resumable::s3
