// What the URL of a folder says, and what it may not say.
#include "resumable/open_store.hpp"

#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resumable/error.hpp"
#include "support/temp_folder.hpp"

namespace resumable::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class UrlOfAFolder : public ::testing::Test {
 protected:
  /// The URL of the store that `url` opens.
  static std::string opened(const std::string& url) {
    return open_store(url, {}, CreateStore::if_absent)->url();
  }

  static std::string refused(const std::string& url) {
    try {
      static_cast<void>(opened(url));
    } catch (const Error& error) {
      EXPECT_EQ(error.errc(), Errc::bad_option) << url;
      return error.explain();
    }
    ADD_FAILURE() << url << " was opened";
    return {};
  }

  TempFolder folder_;
  std::string path_ = (folder_ / "store").string();
};

TEST_F(UrlOfAFolder, ThatIsMissingIsRefusedWithTheOptionThatMakesIt) {
  try {
    static_cast<void>(open_store("file:" + path_));
    ADD_FAILURE() << "it was opened";
  } catch (const Error& error) {
    ASSERT_EQ(error.info().advice.size(), 1U);
    EXPECT_EQ(error.info().advice[0].option, Option::create_store);
    EXPECT_THAT(error.explain(), HasSubstr("CreateStore::if_absent"));
  }
}

TEST_F(UrlOfAFolder, AllowsASharedFileSystem) {
  for (const std::string kind : {"file:", "journal:"}) {
    const std::string url = kind + path_ + kind.substr(0, 1);
    EXPECT_EQ(opened(url), url);
    EXPECT_EQ(opened(url + "?shared=no"), url);
    EXPECT_EQ(opened(url + "?shared=yes"), url + "?shared=yes") << "so that it can be typed again";
    static_cast<void>(open_store(url + "?shared=yes", {}, CreateStore::if_absent)->lease("run"));
    EXPECT_TRUE(fs::is_directory(path_ + kind.substr(0, 1)));
    EXPECT_EQ(opened(path_ + kind.substr(0, 1) + "?shared=yes"), url + "?shared=yes");
  }
}

TEST_F(UrlOfAFolder, NamesTheParameterThatIsNone) {
  EXPECT_THAT(refused("file:" + path_ + "?share=yes"), HasSubstr("'share=yes'"));
  EXPECT_THAT(refused("journal:" + path_ + "?shared=1"), HasSubstr("'shared=1'"));
  EXPECT_THAT(refused("file:" + path_ + "?shared=yes&ttl=3"), HasSubstr("'shared=yes&ttl=3'"));
  EXPECT_THAT(refused("file:?shared=yes"), HasSubstr("names no folder"));
}

TEST_F(UrlOfAFolder, MayHaveAQuestionMarkInAName) {
  EXPECT_EQ(opened("file:" + path_ + "?"), "file:" + path_ + "?");
  EXPECT_EQ(opened("journal:" + path_ + "?x"), "journal:" + path_ + "?x");
  EXPECT_EQ(opened(path_ + "?a=b"), "file:" + path_ + "?a=b");
  EXPECT_EQ(opened("file:" + path_ + "?x?shared=yes"), "file:" + path_ + "?x?shared=yes");
}

}  // namespace
}  // namespace resumable::test
