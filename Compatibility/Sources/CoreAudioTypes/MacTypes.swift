// SPDX-License-Identifier: Apache-2.0

/// A signed integer of 8 bits.
public typealias SInt8 = Int8
/// A signed integer of 16 bits.
public typealias SInt16 = Int16
/// A signed integer of 32 bits.
public typealias SInt32 = Int32
/// A signed integer of 64 bits.
public typealias SInt64 = Int64
/// A byte.
public typealias Byte = UInt8
/// A size in bytes.
public typealias ByteCount = UInt
/// A number of items.
public typealias ItemCount = UInt
