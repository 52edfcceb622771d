// One idea: types that have cereal's serialize() are saved by it.
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <cereal/archives/portable_binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Track {
  std::string name;
  std::vector<double> points;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(name, points);
  }
};

// For any such type. The portable archive gives the same bytes on every machine. Elements without
// an order, such as those of std::unordered_map, would not give the same bytes twice.
template <class T>
struct CerealCodec {
  static std::string encode(const T& value) {
    std::ostringstream out;
    cereal::PortableBinaryOutputArchive{out}(value);
    return std::move(out).str();
  }
  static T decode(std::string_view bytes) {
    std::istringstream in{std::string{bytes}};
    T value;
    cereal::PortableBinaryInputArchive{in}(value);  // throws when the bytes end too early
    if (in.peek() != std::istringstream::traits_type::eof())
      throw std::invalid_argument("there is more behind the value");
    return value;
  }
};

template <>
struct resumable::Codec<Track> : CerealCodec<Track> {
  static constexpr CodecId id{65};  // 64 to 255 are yours; never change it
};

int main() {
  rs::Pipeline pipeline{"flight"};
  const auto track = pipeline.stage("track", [] {
    return Track{"north", std::vector<double>(1000, 0.5)};
  });
  const auto length = pipeline.stage("length", inputs(track), [](const Track& t) {
    return t.name + ": " + std::to_string(t.points.size());
  });

  rs::FileStore store{"store"};
  if (!rs::resume(pipeline, store, {.run = "r"})) return 1;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  if (!report) return report.exit_code();
  std::cout << report[length] << " points, " << report.stages_skipped() << " stages kept\n";
  return report[track].points.size() == 1000 && report.stages_skipped() == 2 ? 0 : 1;
}
