#include "store/file/owner_file.hpp"

#include <array>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/time.hpp"
#include "store/file/frame.hpp"
#include "store/file/limits.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

constexpr std::size_t text_bytes = 512;
constexpr std::string_view check_field = ",\"check\":\"";

std::string text_of(const Backend& backend, std::uint64_t fence) {
  const sys::Process& process = backend.process();
  const std::int64_t pid = process.pid();
  std::string unique;  // without it the text is still that of one fence
  static_cast<void>(sys::random_name(backend.random(), unique));
  const core::OrderedJson document{{"pid", pid},
                                   {"host", process.host()},
                                   {"since", core::format_utc_seconds(backend.clock().wall())},
                                   {"fence", fence},
                                   {"boot", process.boot_id()},
                                   {"start", process.start_time(pid)},
                                   {"lease", unique}};
  std::string text = document.dump(-1, ' ', false, core::OrderedJson::error_handler_t::replace);
  text.pop_back();
  text += fmt::format("{}{}\"}}", check_field, check_of(text));
  text.resize(text_bytes - 1, ' ');
  return text + '\n';
}

/// Whether the check at the end is that of what stands before it.
bool is_checked(std::string_view text) {
  const std::size_t at = text.rfind(check_field);
  return at != std::string_view::npos &&
         text.substr(at + check_field.size(), check_digits) == check_of(text.substr(0, at));
}

/// nullopt when it is not the text of an owner, whole.
std::optional<Owner> parse(std::string_view text) {
  if (!is_checked(text)) return {};
  const auto document = core::Json::parse(text, nullptr, false);
  if (!document.is_object()) return {};
  const auto pid = document.find("pid");
  const auto fence = document.find("fence");
  const auto host = document.find("host");
  const auto since = document.find("since");
  const auto end = document.end();
  if (pid == end || fence == end || host == end || since == end || !pid->is_number_integer() ||
      !fence->is_number_unsigned() || !host->is_string() || !since->is_string()) {
    return {};
  }
  const auto at = core::parse_utc(since->get_ref<const std::string&>());
  if (!at) return {};
  return Owner{.host = *host,
               .pid = *pid,
               .since = std::chrono::floor<std::chrono::seconds>(*at),
               .fence = *fence};
}

/// Grows with the fence. If a run is removed and begun again, the fence begins at 1 again; then the
/// text, which is different for every owner, distinguishes the stamps.
std::uint64_t stamp_of(std::string_view text, const std::optional<Owner>& owner) {
  const Digest sum = digest(text);
  std::uint64_t stamp = owner ? owner->fence : 0;
  for (std::size_t i = 0; i < 4; ++i) stamp = (stamp << 8U) | sum.bytes[i];
  return stamp;
}

std::error_code read_owner(const Backend& backend, const sys::File& file, std::optional<Owner>& out,
                           std::uint64_t* stamp = nullptr) {
  std::array<char, text_bytes> text{};
  std::size_t count = 0;
  const auto error = sys::read_fully(backend.files(), file, 0, text, count);
  if (!error) out = parse({text.data(), count});
  if (stamp != nullptr) *stamp = stamp_of({text.data(), count}, out);
  return error;
}

std::error_code open_or_make(const Backend& backend, const sys::File& own, sys::File& out) {
  sys::FileSystem& files = backend.files();
  for (int look = 0; look < limits::looks; ++look) {
    auto error = files.open(own, names::owner, sys::Open::read_write, out);
    if (!is_absent(error)) return error;
    error = files.open(own, names::owner, sys::Open::new_private, out);
    if (error != std::errc::file_exists) return error;
  }
  return std::make_error_code(std::errc::device_or_resource_busy);
}

/// Writing to it would change a file that exists under another name.
Error linked(const RunSite& site, const std::string& where) {
  return site.error(Errc::foreign,
                    {.what = fmt::format("the owner file of run {} has a second name (a hard link),"
                                         " so it may not be written",
                                         site.name),
                     .file = where,
                     .kept = "nothing was changed",
                     .next = "remove this name, then run again: the file is made again"});
}

}  // namespace

OwnerLock::~OwnerLock() {
  // Not left to close(): a child forked at that moment would keep it.
  if (file_) static_cast<void>(backend_->files().unlock(file_));
}

std::optional<OwnerLock> OwnerLock::take(const Backend& backend, const RunSite& site,
                                         const sys::File& own, Owner& owner) {
  const std::string where = site.own(names::owner);
  for (int look = 0; look < limits::looks; ++look) {
    sys::File file;
    sys::Stat stat;
    if (const auto error = open_or_make(backend, own, file)) {
      throw site.failed("open", where, error);
    }
    if (const auto error = backend.files().lock(file)) {
      if (error != std::errc::resource_unavailable_try_again) {
        throw site.failed("lock", where, error);
      }
      std::optional<Owner> found;
      static_cast<void>(read_owner(backend, file, found));
      owner = found.value_or(Owner{});
      return {};
    }
    if (const auto error = backend.files().stat(file, stat)) {
      throw site.failed("stat", where, error);
    }
    OwnerLock lock(backend, std::move(file), stat);
    if (stat.links > 1) throw linked(site, where);
    bool in_place = false;
    if (const auto error = lock.is_in_place(own, in_place)) {
      throw site.failed("stat", where, error);
    }
    if (in_place) return lock;
  }
  throw site.failed("lock", where, std::make_error_code(std::errc::device_or_resource_busy));
}

std::optional<LastOwner> OwnerLock::last_owner(const RunSite& site) const {
  std::optional<Owner> last;
  std::uint64_t stamp = 0;
  if (const auto error = read_owner(*backend_, file_, last, &stamp)) {
    throw site.unreadable("read", site.own(names::owner), error);
  }
  if (!last) return {};
  return LastOwner{last->fence, stamp};
}

void OwnerLock::write(const RunSite& site, std::uint64_t fence) const {
  sys::FileSystem& files = backend_->files();
  auto error = sys::write_fully(files, file_, 0, text_of(*backend_, fence));
  if (!error && stat_.size > text_bytes) error = files.truncate(file_, text_bytes);
  if (!error) error = files.sync_data(file_);
  if (error) throw site.failed("write", site.own(names::owner), error);
}

std::error_code OwnerLock::is_in_place(const sys::File& own, bool& out) const {
  sys::Stat named;
  const auto error = backend_->files().stat(own, names::owner, named);
  out = !error && named.same_file(stat_);
  return is_absent(error) ? std::error_code{} : error;
}

void OwnerLock::check_in_place(const RunSite& site, const sys::File& own) const {
  bool in_place = false;
  if (const auto error = is_in_place(own, in_place)) {
    throw site.failed("stat", site.own(names::owner), error);
  }
  if (in_place) return;
  throw site.error(Errc::fenced,
                   {.what = fmt::format("run {} was taken from this process: its owner file was"
                                        " removed or replaced",
                                        site.name),
                    .file = site.own(names::owner),
                    .kept = "everything saved before is where it was moved to",
                    .next = "do not touch .resumable during a run; resume again"});
}

std::optional<std::uint64_t> idle_stamp(const Backend& backend, const RunSite& site,
                                        const sys::File& own) {
  sys::File file;
  auto error = backend.files().open(own, names::owner, sys::Open::read, file);
  if (is_absent(error)) return {};
  bool locked = false;
  std::optional<Owner> last;
  std::uint64_t stamp = 0;
  // The text is read first: a later owner writes a different text, and an earlier owner either
  // still has its lock or is done.
  if (!error) error = read_owner(backend, file, last, &stamp);
  if (!error) error = backend.files().is_locked(file, locked);
  if (error) throw site.unreadable("read", site.own(names::owner), error);
  return last && !locked ? std::optional{stamp} : std::nullopt;
}

std::optional<Owner> look_at_owner(const Backend& backend, const RunSite& site,
                                   const sys::File& own) {
  sys::File file;
  auto error = backend.files().open(own, names::owner, sys::Open::read, file);
  if (is_absent(error)) return {};
  bool locked = false;
  if (!error) error = backend.files().is_locked(file, locked);
  std::optional<Owner> owner;
  if (!error && locked) error = read_owner(backend, file, owner);
  if (error) throw site.unreadable("read", site.own(names::owner), error);
  return locked ? std::optional(owner.value_or(Owner{})) : std::nullopt;
}

}  // namespace resumable::store
