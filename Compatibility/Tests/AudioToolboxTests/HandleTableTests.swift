// SPDX-License-Identifier: Apache-2.0
import CoreAudioHandles
import Testing

/// Handles: found as what they are while they are there, and never otherwise.
@Suite struct HandleTableTests {
  final class Thing: Sendable {}
  final class Other: Sendable {}

  @Test func `a handle finds its object as what it is, and as nothing else`() throws {
    let table = HandleTable()
    let thing = Thing()
    let handle = try #require(table.add(thing))
    #expect(table.object(at: handle.pointer, as: Thing.self) === thing)
    #expect(table.object(numbered: handle.number, as: Thing.self) === thing)
    #expect(table.object(at: handle.pointer, as: Other.self) == nil)
    #expect(table.object(at: nil, as: Thing.self) == nil)
  }

  @Test func `a stale handle finds nothing though its place has another object`() throws {
    let table = HandleTable()
    var stale: [Handle] = []
    for _ in 0..<10_000 {
      let handle = try #require(table.add(Thing()))
      #expect(table.remove(handle))
      #expect(!table.remove(handle))
      stale.append(handle)
    }
    #expect(Set(stale).count == stale.count)
    #expect(table.all(Thing.self).isEmpty)
    #expect(stale.allSatisfy { table.object(at: $0.pointer, as: Thing.self) == nil })
  }

  @Test func `a pointer to memory is no handle`() {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { memory.deallocate() }
    #expect(Handle(OpaquePointer(memory)) == nil)
    #expect(Handle(OpaquePointer(bitPattern: 8)) == nil)
  }
}
