#include "exports/publisher.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json.hpp"
#include "core/remedy.hpp"
#include "resumable/error.hpp"

namespace resumable::exports {

Publisher::Texts Publisher::render(std::uint32_t node, Targets& targets, const void* value,
                                   record::Draft& draft) const {
  Texts texts;
  const detail::Node& declared = tools_.graph.nodes[node];
  for (std::size_t i = 0; i < targets.files.size(); ++i) {
    const Target& to = targets.files[i];
    texts.push_back(render_artifact(declared.artifacts[i], *declared.type, value));
    if (!texts.back()) {
      draft.header.exports.push_back({to.path, {}, {}, 0});
      if (!to.had_file()) continue;
      targets.left.push_back(*to.previous);
      if (to.on_disk == to.previous->digest) targets.left_in_place.push_back(*to.previous);
      continue;
    }
    core::Export one{to.path, digest(*texts.back()), to.on_disk, tools_.recorder.order()};
    const bool replaces = to.edited && to.on_disk && *to.on_disk != one.digest && !to.taken_over;
    if (replaces) keep_edited({node, {}}, to);
    one.edited = to.edited && to.on_disk == one.digest;
    // The value was made again and is the same, and a later stage has its version there: that one
    // stays.
    if (to.taken_over && to.previous && to.previous->digest == one.digest) one = *to.previous;
    draft.header.exports.push_back(std::move(one));
  }
  return texts;
}

Publisher::Texts Publisher::keep(std::uint32_t node, Targets& targets, const void* value,
                                 record::Draft& draft) const {
  Texts texts = render(node, targets, value, draft);
  for (std::size_t i = 0; i < targets.files.size(); ++i) {
    const Target& to = targets.files[i];
    if (!to.on_disk) continue;
    if (const auto error = tools_.folder.sync(to.path)) {
      throw Error(Errc::store_failed,
                  {.what = fmt::format("the file '{}' could not be made durable", to.path),
                   .stage = tools_.graph.nodes[node].shown(),
                   .operation = "sync",
                   .file = tools_.folder.full(to.path),
                   .kept = "the file is untouched",
                   .next = core::remedy(error, "fix the cause") + " and adopt the folder again",
                   .cause = error});
    }
    const std::uint64_t order = draft.header.exports[i].order;
    draft.header.exports[i] = {to.path, *to.on_disk, to.on_disk,
                               order != 0 ? order : tools_.recorder.order(), true};
    texts[i].reset();
  }
  return texts;
}

void Publisher::keep_edited(const Subject& subject, const Target& target) const {
  const auto error = tools_.folder.keep_copy(target.path);
  if (!error || error == std::errc::no_such_file_or_directory) return;
  throw Error(
      Errc::store_failed,
      {.what = fmt::format("no copy could be made of '{}', which you have edited", target.path),
       .stage = tools_.graph.nodes[subject.node].shown(),
       .operation = "copy",
       .file = tools_.folder.full(target.path),
       .kept = "the file is untouched",
       .next = core::remedy(error, "fix the cause, or move the file away,") + " and resume",
       .cause = error});
}

void Publisher::announce(const Targets& targets, record::Draft& draft) const {
  if (!targets.files.empty()) draft.header.confirmed = tools_.recorder.take_confirmed();
  // No record will claim the old paths: the files there stay recorded as ours.
  for (const core::Export& one : targets.left_in_place) {
    draft.header.confirmed.push_back({one.path, one.digest, {}, tools_.recorder.order()});
  }
}

void Publisher::publish(const Subject& subject, const Targets& targets,
                        const std::vector<core::Export>& wanted, const Texts& texts,
                        std::vector<core::Export>& done) const {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Target& to = targets.files[i];
    if (!texts[i] && wanted[i].edited && wanted[i].digest == to.on_disk) {
      done.push_back({to.path, *to.on_disk, {}, wanted[i].order, true});
      tools_.recorder.confirm(done.back());
    }
    if (!texts[i]) continue;
    if (to.taken_over && to.previous && to.previous->order == wanted[i].order) continue;
    if (auto exported = put(subject, to, *texts[i], wanted[i].order, EventKind::exported)) {
      done.push_back(*std::move(exported));
    }
  }
}

void tell_edited(record::Events& events, const std::string& stage, const std::string& item,
                 const std::string& file) {
  Event event;
  event.kind = EventKind::edited;
  event.stage = stage;
  event.item = item;
  event.file = file;
  event.message = "edited during the run";
  events.emit(std::move(event));
  events.warn(fmt::format(
      "'{}' was edited during the run: it stays, and the next call adopts the edit", file));
}

std::optional<core::Export> Publisher::put(const Subject& subject, const Target& target,
                                           const std::string& text, std::uint64_t order,
                                           EventKind kind) const {
  const std::string& stage = tools_.graph.nodes[subject.node].shown();
  const std::string file = tools_.folder.full(target.path);
  // If a power loss took the record of a file, the file would be unknown.
  tools_.recorder.flush();
  const Published published =
      tools_.folder.publish(target.path, text, target.on_disk, target.path, order);
  if (published.how == Published::How::conflict && target.on_disk) {
    tell_edited(tools_.events, stage, subject.item, file);
    return std::nullopt;
  }
  if (published.how != Published::How::done) {
    const bool conflict = published.how == Published::How::conflict;
    throw Error(
        conflict ? Errc::edited : Errc::store_failed,
        {.what = conflict ? fmt::format(
                                "stage '{}': a foreign file is in the way of artifact '{}', or the "
                                "artifact was changed",
                                stage, target.path)
                          : fmt::format("artifact '{}' of stage '{}' could not be exported",
                                        target.path, stage),
         .stage = stage,
         .item = subject.item,
         .operation = published.operation,
         .file = file,
         .kept = conflict ? "the file is untouched; the stage's value is saved"
                          : "the stage's value is saved",
         .next = conflict ? "move the file away and resume: the value is exported then"
                          : core::remedy(published.cause, "fix the cause") +
                                " and resume: it is exported again, nothing reruns",
         .cause = published.cause});
  }
  core::Export done{target.path, digest(text), {}, tools_.recorder.order()};
  tools_.recorder.confirm(done);
  Event event;
  event.kind = kind;
  event.stage = stage;
  event.item = subject.item;
  event.file = file;
  tools_.events.emit(std::move(event));
  return done;
}

std::optional<std::string> render_artifact(const detail::Artifact& artifact,
                                           const detail::ValueType& type, const void* value) {
  if (artifact.render) return (*artifact.render)(value);
  std::string bytes = read_all(*type.encode(value));
  if (type.codec != CodecId::json) return bytes;
  return core::OrderedJson::parse(bytes).dump(2) + "\n";
}

}  // namespace resumable::exports
