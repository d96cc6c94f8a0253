// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// The master pan of GS, and the master balance of MIDI.
extension SoundModule {
  /// Reduces the side from which the balance moves away, in all buses, within a quantum.
  ///
  /// Sources: Roland SC-88Pro owner's manual, 40 00 06; MIDI 1.0, device control, master balance.
  ///
  /// - Parameters:
  ///   - frameCount: the number of rendered frames, at least a quantum.
  ///   - dry: left and right of each dry bus.
  ///   - dryCount: the number of pointers in `dry`.
  ///   - wet: left and right of each return.
  ///   - wetCount: the number of pointers in `wet`.
  @_noAllocation @_noLocks
  mutating func balance(
    _ frameCount: Int, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ dryCount: Int,
    wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, _ wetCount: Int
  ) {
    let aims = SIMD2(min(1, 1 - masterBalance), min(1, 1 + masterBalance))
    guard aims != SIMD2(1, 1) || sideGains != aims else { return }
    for place in 0..<dryCount {
      guard let samples = unsafe dry[place] else { continue }
      unsafe turn(samples, frameCount, from: sideGains[place & 1], to: aims[place & 1])
    }
    for place in 0..<wetCount {
      guard let samples = unsafe wet[place] else { continue }
      unsafe turn(samples, frameCount, from: sideGains[place & 1], to: aims[place & 1])
    }
    sideGains = aims
  }

  @_noAllocation @_noLocks
  private func turn(
    _ samples: UnsafeMutablePointer<Float>, _ frameCount: Int, from first: Float, to last: Float
  ) {
    let step = (last - first) / Float(AudioFormat.quantum)
    for frame in 0..<frameCount {
      let gain = frame < AudioFormat.quantum ? first + step * Float(frame &+ 1) : last
      unsafe samples[frame] *= gain
    }
  }
}
