#include "memo/papers.hpp"

#include <mutex>

#include "memo/outline.hpp"

namespace memo {

Papers::Papers(const Request& request, const Sources& sources)
    : corpus{sources, request.company},
      topics{all_topics(request)},
      corrected{corrections(corpus, measures(request), topics)},
      ranking{corpus, topics, corrected} {}

std::shared_ptr<const Papers> papers(const Request& request, const Sources& sources) {
  static std::mutex mutex;
  static Request asked;
  static Sources read;
  static std::shared_ptr<const Papers> last;
  const std::scoped_lock lock{mutex};
  if (last != nullptr && asked == request && read == sources) return last;
  last = std::make_shared<const Papers>(request, sources);
  asked = request;
  read = sources;
  return last;
}

}  // namespace memo
