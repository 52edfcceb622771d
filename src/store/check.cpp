#include "store/check.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/record_format.hpp"
#include "core/run_id.hpp"
#include "core/text.hpp"
#include "resumable/error.hpp"
#include "store/names.hpp"

namespace resumable::store {
namespace {

[[noreturn]] void refuse(Errc code, std::string what) {
  throw Error(code, {.what = std::move(what),
                     .kept = "nothing was changed",
                     .next = "this is a mistake in the program that uses the store"});
}

}  // namespace

void check_run(std::string_view run) { static_cast<void>(core::encode_run(run)); }

void check_record(RecordId id) {
  if (id.generation > 0 && is_record_path(id.path)) return;
  refuse(Errc::bad_name, fmt::format("'{}', generation {}, cannot name a record",
                                     core::printable(id.path), id.generation));
}

void check_found(RecordId id) {
  if (!batch_of_nameless(id.path)) check_record(id);
}

void check_header(std::string_view path, std::string_view header) {
  if (header.find('\n') != std::string_view::npos) {
    refuse(Errc::bad_name, fmt::format("the header of '{}' is not one line", path));
  }
  if (header.size() > core::max_header_bytes) {
    refuse(Errc::too_large, fmt::format("the header of '{}' has {} bytes, {} are allowed", path,
                                        header.size(), core::max_header_bytes));
  }
}

void check_put(const Put& put) {
  check_record(put.id);
  if (put.payload == nullptr) {
    refuse(Errc::bad_name, fmt::format("'{}' has no payload", put.id.path));
  }
  if (!put.seal) check_header(put.id.path, put.header);
}

void check_batch(const Batch& batch) {
  std::set<std::pair<std::string_view, std::uint64_t>> ids;
  for (const Put& put : batch.puts) {
    check_put(put);
    if (batch.puts.size() > 1 && !ids.emplace(put.id.path, put.id.generation).second) {
      refuse(Errc::bad_name, fmt::format("a batch has '{}' twice", put.id.path));
    }
  }
  for (const RecordId id : batch.erases) check_record(id);
}

void check_wait(const Wait& wait) {
  if (!wait.is_over()) return;
  throw Error(Errc::cancelled,
              {.what = wait.stop.stop_requested() ? "the call to the store was stopped"
                                                  : "the call to the store reached its deadline",
               .kept = "nothing was changed",
               .next = "try again, or allow more time"});
}

}  // namespace resumable::store
