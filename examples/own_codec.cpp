// One idea: a type that is saved as its own bytes instead of JSON. docs/writing-a-codec.md explains
// it.
#include <bit>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Mesh {
  std::vector<double> points;
};

template <>
struct resumable::Codec<Mesh> {
  static_assert(std::endian::native == std::endian::little, "the bytes are little-endian");
  static constexpr CodecId id{64};  // 64 to 255 are yours; never change it

  static std::string encode(const Mesh& mesh) {
    std::string bytes(mesh.points.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), mesh.points.data(), bytes.size());
    return bytes;
  }
  static Mesh decode(std::string_view bytes) {
    if (bytes.size() % sizeof(double) != 0) throw std::invalid_argument("not a whole mesh");
    Mesh mesh;
    mesh.points.resize(bytes.size() / sizeof(double));
    std::memcpy(mesh.points.data(), bytes.data(), bytes.size());
    return mesh;
  }
};

int main() {
  rs::Pipeline pipeline{"simulation"};
  const auto mesh = pipeline.stage("mesh", [] { return Mesh{std::vector<double>(1000, 0.5)}; });
  const auto sum = pipeline.stage("sum", inputs(mesh), [](const Mesh& m) {
    double total = 0;
    for (const double point : m.points) total += point;
    return total;
  });

  rs::FileStore store{"store"};
  if (!rs::resume(pipeline, store, {.run = "r"})) return 1;
  const rs::Report report = rs::resume(pipeline, store, {.run = "r"});
  if (!report) return report.exit_code();
  std::cout << report[mesh].points.size() << " points, sum " << report[sum] << ", "
            << report.stages_skipped() << " stages kept\n";
  return report[sum] == 500 && report.stages_skipped() == 2 ? 0 : 1;
}
