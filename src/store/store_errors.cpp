#include "resumable/store_errors.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/run_id.hpp"
#include "store/check.hpp"
#include "store/run_site.hpp"

namespace resumable {
inline namespace v0 {
namespace {

store::RunSite site(const std::string& store, const std::string& run) {
  return {store, run, core::encode_run(run)};
}

}  // namespace

std::string run_twin_key(std::string_view run) { return core::run_twin_key(run); }

void throw_if_over(const Wait& wait) { store::check_wait(wait); }

StoreErrors::StoreErrors(std::string_view store, std::string_view run) : store_(store), run_(run) {}

Error StoreErrors::busy(const Owner& owner) const { return site(store_, run_).busy(owner); }
Error StoreErrors::unknown() const { return site(store_, run_).unknown(); }
Error StoreErrors::exists() const { return site(store_, run_).exists(); }
Error StoreErrors::twin(std::string_view other) const {
  return site(store_, run_).twin(core::encode_run(other));
}
Error StoreErrors::record_exists(RecordId id, std::string place) const {
  return site(store_, run_).record_exists(id, std::move(place));
}
Error StoreErrors::fenced() const {
  const store::RunSite run = site(store_, run_);
  return run.error(
      Errc::fenced,
      {.what = fmt::format("run {} was taken from this process: it has another owner", run.name),
       .file = store_,
       .kept = "everything saved before",
       .next = "resume again; if this process was suspended or cut off for long,"
               " choose a longer ttl"});
}
Error StoreErrors::forked() const { return site(store_, run_).forked(); }
Error StoreErrors::failed(std::string operation, std::string place, std::error_code cause) const {
  return site(store_, run_).failed(std::move(operation), std::move(place), cause);
}
Error StoreErrors::unreadable(std::string operation, std::string place,
                              std::error_code cause) const {
  return site(store_, run_).unreadable(std::move(operation), std::move(place), cause);
}
Error StoreErrors::damaged(RecordId id, std::string place, std::string why) const {
  return site(store_, run_).damaged(id, std::move(place), std::move(why));
}

}  // namespace v0
}  // namespace resumable
