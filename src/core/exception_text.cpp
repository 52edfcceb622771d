#include "core/exception_text.hpp"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <typeinfo>

#include <cxxabi.h>
#include <fmt/format.h>

#include "resumable/detail/hook.hpp"

namespace resumable::core {
namespace {

std::string type_name(const std::type_info* type) {
  if (type == nullptr) return "unknown";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name{
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), &std::free};
  return status == 0 && name ? name.get() : type->name();
}

}  // namespace

std::string exception_text(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& caught) {
    std::string text = caught.what();
    try {
      std::rethrow_if_nested(caught);
    } catch (...) {
      text += ": " + caught_text();
    }
    return text;
  } catch (const char* text) {
    return text != nullptr ? text : "a null text was thrown";
  } catch (const std::string& text) {
    return text;
  } catch (const std::string_view& text) {
    return std::string{text};
  } catch (...) {
    return fmt::format("an exception of type {} was thrown",
                       type_name(abi::__cxa_current_exception_type()));
  }
}

std::string caught_text() { return exception_text(std::current_exception()); }

}  // namespace resumable::core

namespace resumable {
inline namespace v0 {
namespace detail {

void throw_foreign(std::string_view function) {
  throw std::runtime_error{fmt::format("{}: {}", function, core::caught_text())};
}

}  // namespace detail
}  // namespace v0
}  // namespace resumable
