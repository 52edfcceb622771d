// One idea: stages and items run in threads that a program already has, here a Boost.Asio pool,
// instead of threads of the library.
#include <iostream>
#include <mutex>
#include <set>
#include <thread>

#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <resumable/resumable.hpp>

namespace rs = resumable;

int main() {
  boost::asio::thread_pool threads{3};
  std::mutex guard;
  std::set<std::thread::id> seen;

  rs::Pipeline pipeline{"pages"};
  const auto list = pipeline.input("list", std::vector<int>{1, 2, 3, 4, 5, 6});
  const auto squares = pipeline.stage("squares", inputs(each(list)), [&](int number) {
    const std::scoped_lock lock{guard};
    seen.insert(std::this_thread::get_id());
    return number * number;
  });

  rs::FileStore store{"store"};
  const rs::Report report = rs::resume(
      pipeline, store, {.run = "r", .concurrency = 3, .executor = [&](std::function<void()> work) {
                          boost::asio::post(threads, std::move(work));
                        }});
  threads.join();
  std::cout << report.items(squares).size() << " items, done "
            << (seen.contains(std::this_thread::get_id()) ? "here" : "in the pool") << "\n";
  return report && !seen.contains(std::this_thread::get_id()) ? 0 : 1;
}
