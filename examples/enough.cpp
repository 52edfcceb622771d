// One idea: a fan-out that ends when there is enough. Random points estimate pi, in up to 1000
// samples; the sample that brings the error below the tolerance closes the fan-out, and the mean is
// that of the samples that are there.
#include <cmath>
#include <iostream>
#include <mutex>
#include <random>

#include <resumable/resumable.hpp>

namespace rs = resumable;

/// How much of a square's 10,000 random points lie in its circle, times 4.
double sample_of(unsigned seed) {
  std::mt19937 random{seed};
  std::uniform_real_distribution<double> place;
  int inside = 0;
  for (int i = 0; i < 10'000; ++i) inside += std::hypot(place(random), place(random)) < 1 ? 1 : 0;
  return inside * 4 / 10'000.0;
}

/// The standard error of the mean of what was added.
class Error {
 public:
  double add(double value) {
    const std::scoped_lock lock{guard_};
    ++count_;
    const double off = value - mean_;
    mean_ += off / count_;
    squares_ += off * (value - mean_);
    return count_ < 10 ? 1 : std::sqrt(squares_ / (count_ - 1) / count_);
  }

 private:
  std::mutex guard_;
  int count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

int main() {
  std::vector<unsigned> seeds;
  for (unsigned seed = 0; seed < 1000; ++seed) seeds.push_back(seed);
  Error error;  // of the samples of this call: a call that continues needs a few more

  rs::Pipeline pi{"pi"};
  const auto list = pi.input("seeds", seeds);
  const auto samples = pi.stage("sample", inputs(each(list)), [&](rs::Context& ctx, unsigned seed) {
    const double value = sample_of(seed);
    if (error.add(value) < 0.003) ctx.close("the standard error is below 0.003");
    return value;
  });
  const auto mean = pi.stage("mean", inputs(samples), [](const std::vector<double>& all) {
    double sum = 0;
    for (const double value : all) sum += value;
    return sum / static_cast<double>(all.size());
  });

  rs::MemoryStore store;
  const rs::Report report = rs::resume(pi, store, {.run = "monday", .concurrency = 2});
  if (!report) return report.exit_code();
  std::cout << report.stage("sample").message << "\npi is about " << report[mean] << '\n';
  const bool enough = report[samples].size() < seeds.size();
  return enough && std::abs(report[mean] - 3.1416) < 0.02 ? 0 : 1;
}
