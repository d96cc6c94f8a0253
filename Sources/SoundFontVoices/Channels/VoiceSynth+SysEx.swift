// SPDX-License-Identifier: Apache-2.0

extension VoiceSynth {
  /// Applies a SysEx message without its F0 and F7: resets of GM, GM2, GS and XG, which set the bank
  /// mode, and the rhythm parts of GS.
  ///
  /// Devices 0x10 and 0x7F are meant.
  @_noAllocation @_noLocks
  package mutating func applySysEx(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4, unsafe bytes[1] == 0x10 || bytes[1] == 0x7F else { return }
    switch unsafe (bytes[0], bytes[2]) {
    case (0x7E, 9):
      guard unsafe bytes[3] == 1 || bytes[3] == 3 else { return }
      bankMode = .gm
      reset()
    case (0x41, 0x42) where unsafe bytes[3] == 0x12: unsafe applyRoland(bytes, count)
    case (0x43, 0x4C):
      guard count == 7, unsafe bytes[3] == 0, unsafe bytes[4] == 0, unsafe bytes[5] | 1 == 0x7F,
        unsafe bytes[6] == 0
      else { return }
      bankMode = .xg
      reset()
    default: break
    }
  }

  /// One byte for an address, and their sum.
  @_noAllocation @_noLocks
  private mutating func applyRoland(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard count == 9 else { return }
    var sum = 0
    for index in 4..<8 { sum &+= unsafe Int(bytes[index]) }
    guard unsafe 0x80 &- (sum & 0x7F) == Int(bytes[8]) else { return }
    let value = unsafe bytes[7]
    switch unsafe (bytes[4], bytes[5], bytes[6]) {
    case (0x40, 0, 0x7F):
      guard value == 0 || value == 0x7F else { return }
      bankMode = value == 0 ? .gs : .gm
      reset()
    case (0x40, 0x10...0x1F, 0x15):
      guard case .gs = bankMode, value <= 2 else { return }
      let part = unsafe Int(bytes[5] & 0x0F)
      setDrums(part >= 10 ? part : part == 0 ? 9 : part &- 1, value != 0)
    default: break
    }
  }
}
