#include "store/run_site.hpp"

#include <fmt/format.h>

#include "core/remedy.hpp"
#include "core/time.hpp"
#include "store/names.hpp"

namespace resumable::store {

std::string advice(std::error_code cause) {
  const bool odd = is_odd_file(cause) || cause == std::errc::not_a_directory;
  return core::remedy(cause, odd ? "move away what is in this place" : "check the disk") +
         ", then run again";
}

bool is_odd_file(std::error_code error) noexcept {
  return error == std::errc::is_a_directory || error == std::errc::not_supported ||
         error == std::errc::too_many_symbolic_link_levels;
}

std::string RunSite::own(std::string_view file) const {
  return fmt::format("{}/{}{}{}", folder(), names::own, file.empty() ? "" : "/", file);
}

std::string RunSite::record(RecordId id) const {
  return own(fmt::format("{}/{}", names::checkpoints, place_of(id).path()));
}

Error RunSite::error(Errc code, ErrorInfo info) const {
  info.run = run;
  return {code, std::move(info)};
}

Error RunSite::failed(std::string operation, std::string file, std::error_code cause) const {
  return error(Errc::store_failed, {.what = fmt::format("run {} cannot be written", name),
                                    .operation = std::move(operation),
                                    .file = std::move(file),
                                    .kept = "everything saved before is intact",
                                    .next = advice(cause),
                                    .cause = cause});
}

Error RunSite::unreadable(std::string operation, std::string file, std::error_code cause) const {
  return error(Errc::unreadable, {.what = fmt::format("run {} cannot be read", name),
                                  .operation = std::move(operation),
                                  .file = std::move(file),
                                  .kept = "nothing was changed",
                                  .next = advice(cause),
                                  .cause = cause});
}

Error RunSite::damaged(RecordId id, std::string file, std::string why) const {
  return error(Errc::damaged,
               {.what = fmt::format("checkpoint {} of run {} is damaged: {}", id.path, name, why),
                .file = std::move(file),
                .kept = "nothing was deleted",
                .next = "resume: an earlier generation is used, or the stage runs again"});
}

Error RunSite::newer(RecordId id, std::string file) const {
  return error(Errc::newer,
               {.what = fmt::format("checkpoint {} of run {} has a newer layout than this program"
                                    " knows",
                                    id.path, name),
                .file = std::move(file),
                .kept = "untouched: a newer file is never rewritten",
                .next = "use a newer program"});
}

Error RunSite::bad(RecordId id, std::string file, Damage damage, std::error_code cause) const {
  switch (damage) {
    case Damage::newer: return newer(id, std::move(file));
    case Damage::unreadable: return unreadable("read", std::move(file), cause);
    case Damage::foreign:
      return error(Errc::foreign,
                   {.what = fmt::format("something that is not a file is in the place of checkpoint"
                                        " {} of run {}",
                                        id.path, name),
                    .file = std::move(file),
                    .kept = "it is untouched",
                    .next = "move it away, then resume",
                    .cause = cause});
    case Damage::none:
    case Damage::torn: break;
  }
  return damaged(id, std::move(file),
                 "its frame is broken, or it is shorter or longer than that says");
}

Error RunSite::busy(const Owner& owner) const {
  // Unknown between taking the lock and writing the owner, or after damage.
  std::string who = owner.pid == 0 ? "another process"
                                   : fmt::format("pid {} on {} since {}", owner.pid, owner.host,
                                                 core::format_utc_seconds(owner.since));
  // Pids and names of hosts repeat in containers: pid 1 of this host may be another process.
  if (owner.until) who += ", with a lease until " + core::format_utc_seconds(*owner.until);
  return error(Errc::busy,
               {.what = fmt::format("run {} is in use by {}", name, who),
                .kept = "nothing was changed",
                .next = owner.until ? "wait for it: it renews its lease while it lives, and"
                                      " once it is gone the lease ends by itself"
                                    : "wait for it, or stop that process, which releases the"
                                      " lock",
                .advice = {{.option = Option::lock_wait}}});
}

Error RunSite::unknown() const {
  return error(Errc::unknown_run,
               {.what = fmt::format("there is no run {} in {}", name, store),
                .next = "list_runs() and `resumable list` show the existing runs"});
}

Error RunSite::exists() const {
  return error(Errc::duplicate_name, {.what = fmt::format("run {} exists in {}", name, store),
                                      .kept = "nothing was changed",
                                      .next = "resume it, or choose another id"});
}

Error RunSite::twin(std::string_view of) const {
  return error(Errc::duplicate_name,
               {.what = fmt::format("run {} differs from {} only in case or in how accents are"
                                    " written",
                                    name, of),
                .kept = "nothing was changed",
                .next = fmt::format("use {}, or an id that differs more", of)});
}

Error RunSite::record_exists(RecordId id, std::string file) const {
  return error(Errc::fenced,
               {.what = fmt::format("run {} has another writer: checkpoint {}, generation {},"
                                    " exists",
                                    name, id.path, id.generation),
                .file = std::move(file),
                .kept = "the one that exists is untouched",
                .next = "resume the run again"});
}

Error RunSite::forked() const {
  return error(Errc::forked,
               {.what = fmt::format("run {} belongs to the parent of this process", name),
                .kept = "nothing was changed",
                .next = "resume runs in the process that opened them"});
}

}  // namespace resumable::store
