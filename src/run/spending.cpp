#include "run/spending.hpp"

#include <algorithm>

namespace resumable::run {

Savings larger(const Savings& one, const Savings& other) noexcept {
  return {std::max(one.duration, other.duration),
          {std::max(one.cost.usd, other.cost.usd), std::max(one.cost.tokens, other.cost.tokens)}};
}

Savings spent_on(const record::RunFacts& facts, std::string_view path, const plan::Row* row) {
  if (row == nullptr) return {};
  if (const auto* kept = facts.kept(*row)) return {Seconds{kept->seconds}, kept->cost};
  const auto header = facts.header(path, row->generation);
  return header ? Savings{Seconds{header->seconds}, header->cost} : Savings{};
}

StepsSpent spent_on_steps(const record::RunFacts& facts, std::string_view stage,
                          std::uint64_t fence) {
  StepsSpent sums;
  facts.each_step(stage, [&](std::string_view path, std::span<const plan::Row> rows) {
    const plan::Row* row = plan::newest_whole(rows);
    if (row == nullptr || row->head.fence >= fence) return;
    const std::string_view below = path.substr(path.find('/') + 1);  // after `@step/`
    Savings& sum = sums[std::string{below.substr(0, below.rfind('/'))}];
    const Savings spent = spent_on(facts, path, row);
    sum.duration += spent.duration;
    sum.cost += spent.cost;
  });
  return sums;
}

}  // namespace resumable::run
