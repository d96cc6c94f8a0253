// SPDX-License-Identifier: Apache-2.0
import CoreAudioHandles
import Testing

/// Handles of objects in a table.
@Suite struct HandleTableTests {
  final class Thing: Sendable {}
  final class Other: Sendable {}

  @Test func `a handle finds its object only if the type is right`() throws {
    let table = HandleTable()
    let thing = Thing()
    let handle = try #require(table.add(thing))
    #expect(table.object(at: handle.pointer, as: Thing.self) === thing)
    #expect(table.object(numbered: handle.number, as: Thing.self) === thing)
    #expect(table.object(at: handle.pointer, as: Other.self) == nil)
    #expect(table.object(at: nil, as: Thing.self) == nil)
  }

  @Test func `a stale handle is invalid even if its place has another object`() throws {
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

  @Test func `objects can be found, lent and removed on several threads at the same time`()
    async throws
  {
    let table = HandleTable.shared
    let counted = (0..<200).compactMap { _ in table.add(Counter()) }
    await withTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          for round in 0..<20_000 {
            let handle = counted[(round * 7 + thread) % counted.count]
            _ = table.object(at: handle.pointer, as: Counter.self)?.value
            _ = HandleTable.withSole(handle.pointer, Counter.self) { $0.value += 1 }
            if thread == 0, round % 100 == 99 { table.remove(counted[round / 100]) }
          }
        }
      }
    }
    #expect(counted.allSatisfy { table.object(at: $0.pointer, as: Counter.self) == nil })
  }

  /// Changed by one thread at a time, to which it is lent.
  private final class Counter: @unchecked Sendable {
    var value = 0
  }

  @Test func `a pointer to memory is not a handle`() {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    defer { memory.deallocate() }
    #expect(Handle(OpaquePointer(memory)) == nil)
    #expect(Handle(OpaquePointer(bitPattern: 8)) == nil)
  }
}
