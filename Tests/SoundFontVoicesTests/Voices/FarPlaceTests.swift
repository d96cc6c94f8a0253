// SPDX-License-Identifier: Apache-2.0
import CSoundFontVoices
import Glibc
import Testing

@testable import SoundFontVoices

/// Voices whose samples end close to the largest frame number.
@Suite(.serialized)
struct FarPlaceTests {
  /// Address space for 2^31 frames; only frames that are read take memory.
  private static let length = 2 << 31

  @Test(arguments: [0, 1])
  func `a loop that ends near 2^31 is played within its sample`(kind: Int32) throws {
    let memory = unsafe mmap(
      nil, Self.length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      try Test.cancel("no addresses for \(Self.length) bytes")
    }
    defer { unsafe _ = munmap(memory, Self.length) }
    let tables = UnsafeMutablePointer<CVoiceTables>.allocate(capacity: 1)
    let voice = UnsafeMutablePointer<CVoice>.allocate(capacity: 1)
    let group = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<CVoiceGroup>.size, alignment: 32
    ).initializeMemory(as: CVoiceGroup.self, repeating: CVoiceGroup(), count: 1)
    let sound = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    unsafe sound.initialize(repeating: 0, count: 128)
    unsafe voice.initialize(to: CVoice())
    defer {
      unsafe tables.deallocate()
      unsafe voice.deallocate()
      unsafe group.deallocate()
      unsafe sound.deallocate()
      _ = cvoices_choose(1)
    }
    guard cvoices_choose(kind) != 0 else { try Test.cancel("no wide registers") }
    unsafe cvoices_fill_tables(tables, 8000)
    let last = Int32.max - 65_536
    unsafe cvoices_begin(voice)
    unsafe voice.pointee.first = 8
    unsafe voice.pointee.last = last
    unsafe voice.pointee.start = last - 200
    unsafe voice.pointee.end = last
    unsafe voice.pointee.loop_start = last - 100
    unsafe voice.pointee.loop_end = last
    unsafe voice.pointee.loop_mode = 1
    // The longest possible step: 2^24 frames.
    unsafe voice.pointee.root_hertz = 1e-30
    unsafe cvoices_set_resonance(voice, 0)
    unsafe voice.pointee.cutoff = 13_500
    unsafe cvoices_set_section(&voice.pointee.volume, CInt(0), 0, 0, -1, 1)
    unsafe cvoices_set_section(&voice.pointee.volume, CInt(1), 1, 1, -1, 1)
    unsafe cvoices_set_section(&voice.pointee.volume, CInt(2), 1 << 20, 0, -1, 2)
    unsafe cvoices_seat(group, 0, 0, last - 200)
    var dry: [UnsafeMutablePointer<Float>?] = unsafe [sound, sound + 64]
    for _ in 0..<64 {
      unsafe cvoices_render(
        group, voice, memory.assumingMemoryBound(to: Int16.self), nil, tables, nil, 1, &dry, nil,
        nil)
    }
    let isSilent = (0..<128).allSatisfy { unsafe sound[$0] == 0 }
    #expect(isSilent)
    #expect(unsafe group.pointee.taken == 1 && group.pointee.ended == 0)
  }
}
