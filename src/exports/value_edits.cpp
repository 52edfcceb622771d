#include "exports/value_edits.hpp"

#include <fmt/format.h>

#include "core/key.hpp"
#include "core/text.hpp"
#include "exports/reading.hpp"
#include "record/values.hpp"
#include "resumable/error.hpp"
#include "value/changes.hpp"
#include "value/redaction.hpp"

namespace resumable::exports {
namespace {

constexpr std::size_t causes_kept = 50;      // changes that a plan names; the rest is counted
constexpr std::size_t collisions_kept = 20;  // that a header names

void add_causes(const std::vector<value::Change>& changes, const Written& written,
                std::vector<Cause>& causes) {
  const auto add = [&](Cause cause) {
    cause.reason = Reason::edited;
    cause.file = written.file;
    if (!written.place.empty()) {
      cause.detail = cause.detail.empty() ? written.place : cause.detail + ", " + written.place;
    }
    causes.push_back(std::move(cause));
  };
  if (changes.empty()) add({.detail = "the value is the same"});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i == causes_kept) {
      add({.detail = fmt::format("and {} more changes", changes.size() - causes_kept)});
      break;
    }
    add({.subject = changes[i].path,
         .before = core::printable(changes[i].before),
         .after = core::printable(changes[i].after)});
  }
}

}  // namespace

std::optional<Current> ValueEdits::current(const Subject& subject) const {
  const detail::Node& node = graph_.nodes[subject.node];
  Current current;
  current.subject = subject;
  current.key =
      subject.item.empty() ? core::stage_key(node.name) : core::item_key(node.name, subject.item);
  current.next = facts_.succession(current.key.path, node.type->version);
  if (!current.next.previous || node.type->codec == CodecId::none) return std::nullopt;
  auto header = facts_.header(current.key.path, current.next.previous->generation);
  if (!header) return std::nullopt;
  current.header = *std::move(header);
  if (graph_.recorded) return current;  // nothing can be read with it
  try {
    current.value = record::load_record(graph_, facts_, subject.node, subject.item);
    current.bytes = read_all(*value::encode(graph_, *node.type, current.value.get()));
  } catch (const record::DamagedRecord&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return current;
}

std::string ValueEdits::bytes_of(const Current& current, const plan::Row& row) const {
  const detail::ValueType& type = *graph_.nodes[current.subject.node].type;
  const auto value = facts_.value(current.key.path, row, type);
  return read_all(*value::encode(graph_, type, value.get()));
}

bool ValueEdits::take(Current& current, const Written& written, std::vector<Cause>& causes) const {
  const detail::Node& node = graph_.nodes[current.subject.node];
  const auto refused = [&](const std::string& why) {
    const std::string place = written.place.empty() ? "" : written.place + ": ";
    causes.push_back({.reason = Reason::invalid_edit, .file = written.file, .detail = place + why});
    return false;
  };
  Reading read = read_artifact(node, written.artifact, written.text, current.value.get());
  if (!read.value) return refused(read.problem);
  try {
    detail::AnyValue value = std::move(read.value);
    std::string bytes = read_all(*value::encode(graph_, *node.type, value.get()));
    if (written.base) {
      value::Merged merged = value::merge(node.type->codec, *written.base, bytes, current.bytes);
      value = node.type->decode(std::make_shared<StringPayload>(merged.bytes), node.type->version);
      bytes = std::move(merged.bytes);
      for (const value::Conflict& one : merged.conflicts) {
        if (current.collisions.size() == collisions_kept) break;
        current.collisions.push_back({one.path, one.mine, one.theirs});
      }
      current.merged = true;
    }
    add_causes(value::changes(node.type->codec, current.bytes, bytes), written, causes);
    current.bytes = std::move(bytes);
    current.value = std::move(value);
    return true;
  } catch (const Error& error) {
    return refused(error.info().what);
  } catch (const std::exception& error) {
    return refused(error.what());
  }
}

record::Draft ValueEdits::same_draft(const Current& current) const {
  const plan::Row& row = *current.next.previous;
  record::Draft draft{.key = current.key,
                      .generation = current.next.generation,
                      .head = row.head,
                      .header = current.header,
                      .payload = facts_.payload(current.key.path, row.generation),
                      .erase = current.next.erase,
                      .keeps_fence = true};
  draft.header.confirmed.clear();
  return draft;
}

record::Draft ValueEdits::edited_draft(const Current& current, bool changed) const {
  const detail::Node& node = graph_.nodes[current.subject.node];
  record::Draft draft = same_draft(current);
  if (changed) {
    const record::Draft fresh = record::Draft::value(
        draft.head.kind, draft.key, *node.type, std::make_shared<StringPayload>(current.bytes));
    draft.payload = fresh.payload;
    draft.head.schema = fresh.head.schema;
    draft.head.shape = fresh.head.shape;
    draft.head.identity = fresh.head.identity;
    draft.head.flags = static_cast<std::uint8_t>(draft.head.flags | core::edited);
    draft.header.schema_name = fresh.header.schema_name;
    draft.header.shape = fresh.header.shape;
    draft.header.schemas = fresh.header.schemas;
    draft.header.payload_digest = fresh.header.payload_digest;
    draft.header.payload_sha256.clear();
    draft.header.at.clear();
    draft.header.edited_by = user_;
  }
  // A user who edits a disputed value again has decided.
  draft.head.flags = static_cast<std::uint8_t>(draft.head.flags & ~core::disputed);
  if (!current.collisions.empty()) {
    draft.head.flags = static_cast<std::uint8_t>(draft.head.flags | core::edited | core::disputed);
  }
  draft.header.collisions = current.collisions;
  return draft;
}

core::Export ValueEdits::export_of(const core::Export& former, const detail::Artifact& artifact,
                                   const detail::ValueType& type, const void* value) const {
  const auto text = render_artifact(artifact, type, value);
  if (!text) return {former.path, {}, {}, 0};
  const plan::Look look = ledger_.look(former.path);
  core::Export one{former.path, digest(*text), {}, newest_order};
  if (look.state == plan::Look::State::file) one.before = look.digest;
  return one;
}

}  // namespace resumable::exports
