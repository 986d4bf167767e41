// A handler memory of one's own, compared with the built-in ones by every command:
//   own_memory compare async async/heap async/own --load backlog
#include <udpbench/app/main.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

// Two blocks of 1 KiB, taken in turn; more goes to the heap. `upstream`, which is not required, lets the results say how often.
class own_memory {
 public:
  void* allocate(std::size_t bytes, std::size_t alignment) {
    for (auto& s : slots_)
      if (!s.used && bytes <= s.bytes.size() && alignment <= alignof(std::max_align_t)) {
        s.used = true;
        return s.bytes.data();
      }
    ++upstream_;
    return ::operator new(bytes, std::align_val_t(alignment));
  }

  void deallocate(void* block, std::size_t, std::size_t alignment) noexcept {
    for (auto& s : slots_)
      if (block == s.bytes.data()) {
        s.used = false;
        return;
      }
    ::operator delete(block, std::align_val_t(alignment));
  }

  std::uint64_t upstream() const noexcept { return upstream_; }

 private:
  struct slot {
    alignas(std::max_align_t) std::array<std::byte, 1024> bytes;
    bool used = false;
  };
  std::array<slot, 2> slots_{};
  std::uint64_t upstream_ = 0;
};

int main(int argc, char** argv) {
  auto receivers = udpbench::app::builtin();
  udpbench::app::add_memory<own_memory>(receivers, "own", "two blocks, taken in turn");
  return udpbench::app::main(argc, argv, receivers);
}
