// One idea: a message of Protocol Buffers is a value. The class is generated from reading.proto.
#include <iostream>
#include <stdexcept>
#include <string>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <resumable/resumable.hpp>

#include "reading.pb.h"

namespace rs = resumable;

// For any message. Equal messages must give equal bytes, so maps are written in order. That order
// may change with the version of the library: stages that depend on the value then run again.
template <class Message>
struct ProtobufCodec {
  static std::string encode(const Message& message) {
    std::string bytes;
    google::protobuf::io::StringOutputStream stream{&bytes};
    google::protobuf::io::CodedOutputStream out{&stream};
    out.SetSerializationDeterministic(true);
    if (!message.SerializeToCodedStream(&out)) throw std::runtime_error("it cannot be written");
    out.Trim();
    return bytes;
  }
  static Message decode(std::string_view bytes) {
    Message message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
      throw std::invalid_argument("these bytes are not such a message");
    if (!message.GetReflection()->GetUnknownFields(message).empty())
      throw std::invalid_argument("it has fields that this program does not know");
    return message;
  }
};

template <>
struct resumable::Codec<ward::Reading> : ProtobufCodec<ward::Reading> {
  static constexpr CodecId id{66};  // 64 to 255 are yours; never change it
};

int main() {
  rs::Pipeline pipeline{"sensors"};
  const auto reading = pipeline.stage("reading", [] {
    ward::Reading made;
    made.set_sensor("north");
    for (const double value : {0.5, 1.5, 2.0}) made.add_values(value);
    (*made.mutable_labels())["unit"] = "mV";
    return made;
  });
  const auto sum = pipeline.stage("sum", inputs(reading), [](const ward::Reading& r) {
    double total = 0;
    for (const double value : r.values()) total += value;
    return total;
  });

  rs::FileStore store{"store"};
  if (!rs::resume(pipeline, store, {.run = "r"})) return 1;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  if (!report) return report.exit_code();
  std::cout << report[reading].sensor() << ": " << report[sum] << ", " << report.stages_skipped()
            << " stages kept\n";
  return report[sum] == 4 && report.stages_skipped() == 2 ? 0 : 1;
}
