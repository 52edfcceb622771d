/// @file
/// Costs and sums of time as JSON, the same in every document.
#pragma once

#include "resumable/report.hpp"

namespace resumable::core {

template <class Document>
[[nodiscard]] Document cost_json(const Cost& cost) {
  return {{"usd", cost.usd}, {"tokens", cost.tokens}};
}

template <class Document>
[[nodiscard]] Document savings_json(const Savings& saved) {
  return {{"seconds", saved.duration.count()}, {"cost", cost_json<Document>(saved.cost)}};
}

template <class Document>
[[nodiscard]] Document overhead_json(const Overhead& overhead) {
  return {{"loading_seconds", overhead.loading.count()},
          {"saving_seconds", overhead.saving.count()},
          {"commits", overhead.commits},
          {"bytes", overhead.bytes}};
}

}  // namespace resumable::core
