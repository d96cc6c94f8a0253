// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioProcessing
import Foundation
import MusicalTime
import Synchronization
import TestSupport

/// The calls of engines, nodes, players and sequencers, in any order from two threads.
///
/// One engine renders for the program, the other plays on the null output.
struct EngineCallTarget: FuzzTarget {
  private let scene: EngineCallScene
  private var rounds = 0

  init(_ fuzz: FuzzScene) throws {
    scene = try EngineCallScene(fuzz.folder)
  }

  var tally: String { "\(rounds) rounds, \(scene.frameCount) frames rendered" }

  mutating func attack(_ random: inout SplitMix) throws {
    let seeds = [random.next(), random.next()]
    let faults = Mutex<[String]>([])
    let scene = scene
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      var random = SplitMix(seed: seeds[index])
      for _ in 0..<12 {
        if let fault = scene.call(&random) { faults.withLock { $0.append(fault) } }
      }
    }
    rounds += 1
    let found = faults.withLock { $0 } + scene.check()
    try FuzzFault.unless(found.isEmpty, found.joined(separator: "; "))
  }
}
