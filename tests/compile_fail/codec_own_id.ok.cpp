#include "resumable/pipeline.hpp"

struct Mesh {
  std::string points;
};

template <>
struct resumable::Codec<Mesh> {
  static constexpr CodecId id{255};
  static std::string encode(const Mesh& mesh) { return mesh.points; }
  static Mesh decode(std::string_view bytes) { return {std::string{bytes}}; }
};

void declare(resumable::Pipeline& pipeline) {
  pipeline.stage("mesh", [] { return Mesh{"1 2 3"}; });
}
