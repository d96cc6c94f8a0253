// SPDX-License-Identifier: Apache-2.0
import CommandOptions
import Foundation
import TestSupport
import Testing

@Suite struct SyncSourceTests {
  @Test func `the schema of clock watch has every kind of source`() throws {
    let path = ToolRun.packageFolder.appendingPathComponent(
      "Documentation/schema/clock-watch.json")
    let schema = try String(contentsOf: path, encoding: .utf8)
    for kind in SyncSource.Kind.allCases {
      #expect(schema.contains("\"\(kind.rawValue)\""), "\(kind) is missing")
    }
  }
}
