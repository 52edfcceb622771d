#include "record/draft.hpp"

#include "value/nested_schemas.hpp"

namespace resumable::record {
namespace {

Draft begin(core::Kind kind, core::Key key, CodecId codec, std::shared_ptr<const Payload> payload) {
  Draft draft;
  draft.key = std::move(key);
  draft.head.kind = kind;
  draft.head.codec = codec;
  draft.payload = std::move(payload);
  if (const auto bytes = draft.payload->view()) {
    draft.header.payload_digest = digest(*bytes);
    draft.head.identity = draft.header.payload_digest;
  }
  return draft;
}

}  // namespace

Draft Draft::small(core::Kind kind, core::Key key, CodecId codec, std::string bytes) {
  return begin(kind, std::move(key), codec, std::make_shared<StringPayload>(std::move(bytes)));
}

Draft Draft::value(core::Kind kind, core::Key key, const detail::ValueType& type,
                   std::shared_ptr<const Payload> payload) {
  if (!payload) payload = std::make_shared<StringPayload>("");
  Draft draft = begin(kind, std::move(key), type.codec, std::move(payload));
  draft.head.codec = type.stored_as();
  draft.head.schema = type.version;
  draft.header.schema_name = std::string{type.schema};
  const detail::TypeShape shape = type.shape_now();
  draft.header.shape = shape.fields;
  draft.header.schemas = value::schemas_inside(shape);
  draft.head.shape = value::shape_hash(shape);
  return draft;
}

}  // namespace resumable::record
