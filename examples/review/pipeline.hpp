/// @file
/// A report on a folder of texts: an outline, which a user reviews; a draft, which a user reviews;
/// the report. Quoted without a model, written with one.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <resumable/pipeline.hpp>

#include "model/model.hpp"
#include "review/types.hpp"

namespace review {

struct Settings {
  std::optional<std::string> sources{};  ///< the folder; what the run has recorded, if not given
  std::vector<std::string> files{};      ///< the names of the sources; empty: not known
  std::optional<std::string> title{};
  std::optional<std::string> provider{};  ///< as model::Model names it
  model::Calling calling{};
};

/// A file that a user reviews.
struct Review {
  std::string_view field;  ///< the stage whose value it is
  std::string_view gate;   ///< the stage that waits for the user
  std::string_view file;   ///< `<field>_review.yaml`
  std::string_view other;  ///< `<field>_edited.yaml`: laid beside the file, it takes its place
};
inline constexpr std::array<Review, 2> reviews{{
    {"outline", "agree_outline", "outline_review.yaml", "outline_edited.yaml"},
    {"draft", "agree_draft", "draft_review.yaml", "draft_edited.yaml"},
}};

class ReviewPipeline {
 public:
  explicit ReviewPipeline(const Settings& settings);
  [[nodiscard]] const resumable::Pipeline& pipeline() const noexcept { return pipeline_; }

 private:
  resumable::Pipeline pipeline_{"review"};
};

/// Throws std::exception when the text could not become the field's value.
void check_edit(std::string_view field, const std::string& text);

}  // namespace review
