#include "s3/home.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "resumable/error.hpp"
#include "sha256/payloads.hpp"
#include "sys/random.hpp"

namespace resumable::s3 {
namespace {

constexpr std::string_view own_run = "@payloads";
constexpr RecordId own_record{.path = "folder", .generation = 1};
constexpr std::string_view folder_before = R"({"folder":")";
constexpr std::string_view folder_behind = R"("})";
/// Another process makes the folder with two requests.
constexpr std::chrono::seconds time_for_another{30};
/// Larger values are read in parts of a quarter of this.
constexpr std::uint64_t whole_bytes = std::uint64_t{64} << 20U;

constexpr std::string_view mark_text =
    "This folder has the large values of a store of resumable.\n";

/// All of a value, compared with its SHA-256.
class WholeObject final : public Payload {
 public:
  WholeObject(std::shared_ptr<Home> home, Value value, std::stop_token stop)
      : home_(std::move(home)), value_(std::move(value)), stop_(std::move(stop)) {}

  [[nodiscard]] std::uint64_t size() const override { return value_.reference.size; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    return bytes().read(at, to);
  }
  [[nodiscard]] std::optional<std::string_view> view() const override { return bytes().view(); }

 private:
  const StringPayload& bytes() const {
    const std::scoped_lock lock{guard_};
    if (!bytes_) {
      auto bytes = std::make_shared<const StringPayload>(
          home_->read(value_, 0, value_.reference.size, {.stop = stop_, .deadline = {}}));
      static_cast<void>(sha256::checked(bytes, value_.reference.sha256));
      bytes_ = std::move(bytes);
    }
    return *bytes_;
  }

  std::shared_ptr<Home> home_;
  Value value_;
  std::stop_token stop_;
  mutable std::mutex guard_;
  mutable std::shared_ptr<const StringPayload> bytes_;
};

/// A large value, of which one part is kept: readers go through it in small steps.
class ObjectInParts final : public Payload {
 public:
  ObjectInParts(std::shared_ptr<Home> home, Value value, std::stop_token stop)
      : home_(std::move(home)), value_(std::move(value)), stop_(std::move(stop)) {}

  [[nodiscard]] std::uint64_t size() const override { return value_.reference.size; }
  std::size_t read(std::uint64_t at, std::span<char> to) const override {
    if (at >= size()) return 0;
    const std::scoped_lock lock{guard_};
    const std::uint64_t begin = at - at % part_bytes;
    if (begin_ != begin) {
      begin_.reset();
      part_ = home_->read(value_, begin, std::min(part_bytes, size() - begin),
                          {.stop = stop_, .deadline = {}});
      begin_ = begin;
    }
    const std::size_t count = std::min<std::size_t>(to.size(), part_.size() - (at - begin));
    std::memcpy(to.data(), part_.data() + (at - begin), count);
    return count;
  }

 private:
  static constexpr std::uint64_t part_bytes = whole_bytes / 4;

  std::shared_ptr<Home> home_;
  Value value_;
  std::stop_token stop_;
  mutable std::mutex guard_;
  mutable std::optional<std::uint64_t> begin_;
  mutable std::string part_;
};

}  // namespace

std::string random_name() {
  sys::SystemRandom random;
  std::string name;
  if (const std::error_code error = sys::random_name(random, name)) {
    throw Error(Errc::store_failed,
                {.what = "there are no random numbers", .operation = "getrandom", .cause = error});
  }
  return name;
}

std::string Home::mark_key(std::string_view folder) const {
  const std::string& prefix = objects_.target().options.prefix;
  return fmt::format("{}{}{}/resumable", prefix, prefix.empty() ? "" : "/", folder);
}

std::optional<std::string> Home::folder(const Wait& wait) {
  const std::scoped_lock lock{guard_};
  if (folder_) return folder_;
  records_.scan(
      own_run, {.quarantined = false, .headers = true, .wait = wait}, [&](const RecordHead& head) {
        const std::string_view header = head.header.value_or("");
        if (header.starts_with(folder_before) && header.ends_with(folder_behind)) {
          folder_ = header.substr(folder_before.size(),
                                  header.size() - folder_before.size() - folder_behind.size());
          return false;
        }
        throw Error(Errc::unreadable,
                    {.what = "the record that says where the store's large values are"
                             " cannot be read",
                     .file = records_.locate(own_run, head.id),
                     .kept = "everything: nothing was changed",
                     .next = "restore it from a backup"});
      });
  return folder_;
}

void Home::check_mark(std::string_view folder, const Wait& wait) {
  const std::string key = mark_key(folder);
  // Not a HEAD: it would not say why it is refused.
  if (objects_.get(key, 0, mark_text.size(), mark_text.size(), wait)) return;
  throw Error(Errc::unreadable,
              {.what = fmt::format("the large values of the store {} are not in {}", records_.url(),
                                   objects_.target().url),
               .file = objects_.url_of(key),
               .kept = "everything: nothing was changed",
               .next = "name the bucket and prefix, and the endpoint, that were used before"});
}

std::string Home::make_folder(const Wait& wait) {
  const auto lease = records_.lease(
      own_run, {.create = Create::if_absent, .wait = time_for_another, .stop = wait.stop});
  if (auto made = folder(wait)) return *made;  // by another process
  std::string name = random_name();
  const StringPayload text{std::string{mark_text}};
  objects_.put(mark_key(name), text, sha256_of(text), wait);
  const std::string header = fmt::format("{}{}{}", folder_before, name, folder_behind);
  const StringPayload nothing{""};
  const Put put{.id = own_record, .tag = {}, .header = header, .payload = &nothing};
  lease->commit({.puts = {&put, 1}, .erases = {}}, {.durability = Durability::full, .wait = wait});
  return name;
}

void Home::prepare(const Wait& wait) {
  {
    const std::scoped_lock lock{guard_};
    if (prepared_) return;
  }
  const auto known = folder(wait);
  const std::string name = known ? *known : make_folder(wait);
  check_mark(name, wait);
  const StringPayload text{std::string{mark_text}};
  objects_.put(mark_key(name), text, sha256_of(text), wait);
  const std::scoped_lock lock{guard_};
  folder_ = name;
  prepared_ = true;
}

std::string Home::run_prefix(std::string_view run, const Wait& wait) {
  const std::string& prefix = objects_.target().options.prefix;
  const auto name = folder(wait);
  if (!name) {
    throw Error(Errc::unreadable,
                {.what = "the record that says where the store's large values are is gone",
                 .file = records_.url(),
                 .kept = "everything: nothing was changed",
                 .next = "restore the run @payloads of the store from a backup"});
  }
  return fmt::format("{}{}{}/{}/", prefix, prefix.empty() ? "" : "/", *name, core::encode_run(run));
}

std::string Home::read(const Value& value, std::uint64_t at, std::uint64_t size, const Wait& wait) {
  const Reference& reference = value.reference;
  const std::string key = run_prefix(value.run, wait) + reference.name;
  auto bytes = objects_.get(key, at, size, reference.size, wait);
  if (bytes && bytes->size() == size) return *std::move(bytes);
  const RecordId id{.path = value.path, .generation = value.generation};
  if (!bytes) {
    check_mark(*folder(wait), wait);
    if (!records_.get(value.run, id, wait)) {
      throw Error(Errc::unreadable, {.what = "the value was replaced before it was read",
                                     .run = value.run,
                                     .file = records_.locate(value.run, id),
                                     .kept = "nothing was changed",
                                     .next = "read the newest one"});
    }
  }
  throw Error(Errc::damaged,
              {.what = bytes ? "an object does not have the size that its record says"
                             : "the object that has the value is missing",
               .run = value.run,
               .file = objects_.url_of(key),
               .kept = "everything: nothing was changed"});
}

std::shared_ptr<const Payload> payload_of(std::shared_ptr<Home> home, Value value,
                                          std::stop_token stop) {
  if (value.reference.size <= whole_bytes) {
    return std::make_shared<const WholeObject>(std::move(home), std::move(value), std::move(stop));
  }
  std::string sum = value.reference.sha256;
  return sha256::checked(
      std::make_shared<const ObjectInParts>(std::move(home), std::move(value), std::move(stop)),
      std::move(sum));
}

}  // namespace resumable::s3
