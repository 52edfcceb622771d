#include "core/fault.hpp"

namespace resumable::core {

Fault fault_of(Errc code) noexcept {
  switch (code) {
    case Errc::bad_name:
    case Errc::unknown_stage:
    case Errc::bad_option:
    case Errc::foreign_handle: return Fault::usage;
    case Errc::duplicate_name:
    case Errc::path_conflict:
    case Errc::no_value:
    case Errc::unknown_run:
    case Errc::missing_input:
    case Errc::plan_outdated:
    case Errc::source_failed:
    case Errc::stage_failed: return Fault::program;
    case Errc::not_encodable:
    case Errc::not_decodable:
    case Errc::too_large: return Fault::value;
    case Errc::store_failed:
    case Errc::outcome_unknown:
    case Errc::cancelled:
    case Errc::fenced:
    case Errc::forked: return Fault::store;
    case Errc::busy: return Fault::owner;
    case Errc::unreadable:
    case Errc::shape_changed:
    case Errc::newer:
    case Errc::no_migration:
    case Errc::codec_changed:
    case Errc::damaged:
    case Errc::foreign:
    case Errc::edited: return Fault::files;
  }
  return Fault::program;
}

}  // namespace resumable::core
