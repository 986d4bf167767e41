/** @file
    Waiting without sleeping.

    Copyright udpbench contributors. Distributed under the Boost Software License, Version 1.0. */
#pragma once

namespace udpbench {

/** A way to wait, or a receiver that waits so, by which the thread takes its cpu whole: it says `static constexpr bool never_sleeps = true`. Any
    time that such a thread doesn't run was taken from it, and how much it runs tells nothing of its work. */
template <class T>
concept spins = requires { requires T::never_sleeps; };

} // namespace udpbench
