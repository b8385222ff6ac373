"""The tables as SQLAlchemy's models, and what is shown of them as Pydantic's."""

from datetime import datetime
from typing import Any, List, Optional
from uuid import UUID

from pydantic import BaseModel
from sqlalchemy import Column, DateTime, ForeignKey, Integer, Numeric, Text
from sqlalchemy.dialects.postgresql import UUID as UuidType
from sqlalchemy.orm import declarative_base, relationship

Base: Any = declarative_base()


class Product(Base):
    __tablename__ = "products"
    id = Column(Integer, primary_key=True)
    name = Column(Text)
    description = Column(Text)
    price = Column(Numeric(12, 2))
    stock = Column(Integer)
    color = Column(Text)
    material = Column(Text)
    size = Column(Text)
    image_url = Column(Text)
    created_at = Column(DateTime(timezone=True))
    deleted_at = Column(DateTime(timezone=True))


class User(Base):
    __tablename__ = "users"
    id = Column(UuidType(as_uuid=True), primary_key=True)
    username = Column(Text)
    first_name = Column(Text)
    last_name = Column(Text)
    avatar_url = Column(Text)


class Review(Base):
    __tablename__ = "reviews"
    id = Column(Integer, primary_key=True)
    product_id = Column(ForeignKey("products.id"))
    user_id = Column(ForeignKey("users.id"))
    rating = Column(Integer)
    title = Column(Text)
    content = Column(Text)
    image_url = Column(Text)
    created_at = Column(DateTime(timezone=True))
    user = relationship(User)


class CartItem(Base):
    __tablename__ = "cart_items"
    id = Column(Integer, primary_key=True)
    cart_id = Column(ForeignKey("carts.id"))
    product_id = Column(ForeignKey("products.id"))
    quantity = Column(Integer)
    product = relationship(Product)


class Cart(Base):
    __tablename__ = "carts"
    id = Column(Integer, primary_key=True)
    user_id = Column(UuidType(as_uuid=True))
    created_at = Column(DateTime(timezone=True))
    updated_at = Column(DateTime(timezone=True))
    items = relationship(CartItem, order_by=CartItem.id)


class OrderItem(Base):
    __tablename__ = "order_items"
    id = Column(Integer, primary_key=True)
    order_id = Column(ForeignKey("orders.id"))
    product_id = Column(ForeignKey("products.id"))
    quantity = Column(Integer)
    price = Column(Numeric(12, 2))
    product_name = Column(Text)
    product_image_url = Column(Text)
    product = relationship(Product)


class Order(Base):
    __tablename__ = "orders"
    __mapper_args__ = {"eager_defaults": True}
    id = Column(Integer, primary_key=True)
    user_id = Column(UuidType(as_uuid=True))
    status = Column(Text, server_default="pending")
    total_price = Column(Numeric(16, 2))
    shipping_first_name = Column(Text)
    shipping_last_name = Column(Text)
    shipping_address = Column(Text)
    shipping_city = Column(Text)
    shipping_zip = Column(Text)
    shipping_country = Column(Text)
    shipping_method = Column(Text)
    shipping_cost = Column(Numeric(7, 2))
    created_at = Column(DateTime(timezone=True), server_default="now()")
    items = relationship(OrderItem)


class Shown(BaseModel):
    class Config:
        orm_mode = True


class ProductOut(Shown):
    id: int
    name: str
    description: Optional[str]
    price: float
    stock: int
    color: Optional[str]
    material: Optional[str]
    size: Optional[str]
    image_url: Optional[str]
    created_at: datetime


class UserOut(Shown):
    id: UUID
    username: str
    first_name: Optional[str]
    last_name: Optional[str]
    avatar_url: Optional[str]


class ReviewOut(Shown):
    id: int
    product_id: int
    user_id: UUID
    rating: int
    title: Optional[str]
    content: Optional[str]
    image_url: Optional[str]
    created_at: datetime
    user: UserOut


class LineOut(Shown):
    id: int
    product_id: int
    quantity: int
    product: ProductOut


class CartOut(Shown):
    id: int
    user_id: UUID
    created_at: datetime
    updated_at: datetime
    items: List[LineOut]


class OrderLineOut(LineOut):
    price: float


class OrderOut(Shown):
    id: int
    user_id: UUID
    status: str
    total_price: float
    shipping_first_name: str
    shipping_last_name: str
    shipping_address: str
    shipping_city: str
    shipping_zip: str
    shipping_country: str
    shipping_method: str
    shipping_cost: float
    created_at: datetime
    items: List[OrderLineOut]
