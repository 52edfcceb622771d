#include "run/damage_handler.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace resumable::run {

record::DamagedRecord DamageHandler::take() {
  record::DamagedRecord record = *std::exchange(open_, std::nullopt);
  facts_.suspect(record.path, record.generation);
  facts_.note_damage(record, false);
  return record;
}

Error DamageHandler::refusal(const record::DamagedRecord& record) const {
  return Error(Errc::damaged, {.what = fmt::format("the checkpoint '{}' is damaged", record.path),
                               .file = facts_.locate(record.path, record.generation),
                               .kept = "everything that was saved before; nothing was deleted",
                               .next = "resume: it is set aside and made again",
                               .advice = {{.option = Option::on_damage, .leave_out = true}}});
}

void DamageHandler::tell_revised(const record::DamagedRecord& record, Counts counts) {
  Event event;
  event.kind = EventKind::plan_revised;
  event.counts = counts;
  event.file = facts_.locate(record.path, record.generation);
  event.message = "a checkpoint is damaged; replanned";
  events_.emit(std::move(event));
}

void DamageHandler::set_aside(const record::DamagedRecord& record) {
  Event event;
  event.kind = EventKind::quarantined;
  event.file = facts_.locate(record.path, record.generation);
  try {
    event.message = "kept as " + recorder_.lease().quarantine({record.path, record.generation});
    facts_.note_damage(record, true);
  } catch (const std::exception& error) {
    event.message = std::string{"it could not be set aside: "} + error.what();
    facts_.note_damage(record, false);
  }
  events_.emit(std::move(event));
}

}  // namespace resumable::run
