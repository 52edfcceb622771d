// expect: a Codec of your own has a 'static constexpr CodecId id' from 64 to 255
// max-lines: 15
#include "resumable/pipeline.hpp"

struct Mesh {
  std::string points;
};

template <>
struct resumable::Codec<Mesh> {
  static std::string encode(const Mesh& mesh) { return mesh.points; }
  static Mesh decode(std::string_view bytes) { return {std::string{bytes}}; }
};

void declare(resumable::Pipeline& pipeline) {
  pipeline.stage("mesh", [] { return Mesh{"1 2 3"}; });
}
