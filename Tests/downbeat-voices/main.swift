// SPDX-License-Identifier: Apache-2.0
// Measures the cost of a voice for 64 frames, for the suite `voices`.
//
//   downbeat-voices FONT [ROUNDS]    prints a line for each case: its name, the nanoseconds of
//   Downbeat's voices for 64 and for 1920 frames per call, then FluidSynth's for both
import CFluidSynth
import Foundation
import MIDIMessages
import SoundFontFiles
import SoundFontVoices

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  print("usage: downbeat-voices FONT [ROUNDS]")
  exit(64)
}
let crowd = VoiceCrowd(arguments[1])
let isAlone = arguments.contains("--alone")
let rounds = arguments.count > 2 ? Int(arguments[2]) ?? 3 : 3
let wanted = arguments.dropFirst(3).filter { $0 != "--alone" }
for scene in VoiceCrowd.Scene.allCases where wanted.isEmpty || wanted.contains(scene.rawValue) {
  var rows: [[Double]] = []
  for _ in 0..<rounds {
    rows.append([
      try crowd.ours(scene, call: 1), try crowd.ours(scene, call: 30),
      isAlone ? .nan : crowd.theirs(scene, call: 1), isAlone ? .nan : crowd.theirs(scene, call: 30),
    ])
  }
  let medians = (0..<4).map { column in rows.map { $0[column] }.sorted()[rounds / 2] }
  print(scene.rawValue, medians.map { String(format: "%.1f", $0) }.joined(separator: " "))
}
