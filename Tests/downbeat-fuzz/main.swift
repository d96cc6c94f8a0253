// SPDX-License-Identifier: Apache-2.0
// Attacks the library with mutated input: `downbeat-fuzz KIND COUNT SEED FOLDER`.
//
// The input of the moment stands in FOLDER, so that it is there after a crash; a round of more
// than a minute, or 4 GiB of memory, is one.
import Glibc
import TestSupport

private func main() -> Int32 {
  let words = CommandLine.arguments
  guard words.count == 5, let kind = FuzzKind(rawValue: words[1]), let count = Int(words[2]),
    let seed = UInt64(words[3])
  else {
    let kinds = FuzzKind.allCases.map(\.rawValue).joined(separator: "|")
    print("usage: downbeat-fuzz \(kinds) COUNT SEED FOLDER")
    return 64
  }
  var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
  // A sanitizer takes terabytes of addresses.
  if unsafe getenv("ASAN_OPTIONS") == nil { unsafe setrlimit(__rlimit_resource_t(9), &limit) }
  do {
    let scene = try FuzzScene(kind: kind, folder: words[4])
    print("\(kind), seed \(seed), \(count) rounds; input in \(scene.inputPath)")
    fflush(nil)
    var (target, random) = (try kind.target(scene), SplitMix(seed: seed))
    for round in 0..<count {
      alarm(60)
      do {
        try target.attack(&random)
      } catch let fault as FuzzFault {
        print("\(kind), seed \(seed), round \(round): \(fault.sentence)")
        return 1
      }
    }
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(0), &usage)
    print(
      "\(kind): \(target.tally), \(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) s,",
      "peak \(try PeakMemory.bytes() >> 20) MiB")
    return 0
  } catch {
    print("\(kind), seed \(seed): \(error)")
    return 2
  }
}

exit(main())
