#include "model/model.hpp"

#include <string_view>

#include "model/openai.hpp"

namespace model {

Model::Model(const std::string& name, std::unique_ptr<Provider> offline,
             std::chrono::milliseconds pace) {
  constexpr std::string_view openai = "openai:";
  if (name.starts_with(openai)) {
    const std::size_t at = name.find('@');
    provider_ = std::make_unique<OpenAiProvider>(
        OpenAiOptions{.base_url = name.substr(at + 1),
                      .model = name.substr(openai.size(), at - openai.size()),
                      .key = key_from_environment()});
  } else {
    provider_ = std::move(offline);
  }
  paced_ = std::make_unique<PacedProvider>(*provider_, pace);
}

}  // namespace model
