"""The contestant of another stack: FastAPI, Pydantic models for what goes in and out, and SQLAlchemy's ORM over asyncpg.

Written as the documentation of the three shows it. It responds with the same fields for the same paths as the lean
server, and looks at no token. One process of uvicorn with uvloop and httptools.
"""

import asyncio
import os
from decimal import Decimal
from typing import Any, AsyncIterator, List
from uuid import UUID

import uvicorn
import uvloop
from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel, Field
from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine.url import make_url
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import joinedload, selectinload, sessionmaker

from models import Cart, CartItem, CartOut, Order, OrderItem, OrderOut, Product, ProductOut, Review, ReviewOut

address = make_url(os.environ["DATABASE_URL"]).set(drivername="postgresql+asyncpg")
engine = create_async_engine(address, pool_size=int(os.environ["DATABASE_POOL_SIZE"]), max_overflow=0)
sessions = sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)


class AddIn(BaseModel):
    product_id: int
    quantity: int = Field(ge=1, le=999)


class ShippingIn(BaseModel):
    first_name: str = Field(max_length=100)
    last_name: str = Field(max_length=100)
    address: str = Field(max_length=300)
    city: str = Field(max_length=100)
    zip_code: str = Field(max_length=20)


class CheckoutIn(BaseModel):
    shipping: ShippingIn


app = FastAPI()


async def session_of_request() -> AsyncIterator[AsyncSession]:
    async with sessions() as session:
        yield session


async def cart_of(session: AsyncSession, user: UUID) -> Cart:
    lines = selectinload(Cart.items).joinedload(CartItem.product)
    found = await session.execute(select(Cart).where(Cart.user_id == user).options(lines))
    return found.scalar_one()


@app.get("/api/v1/products/", response_model=List[ProductOut])
async def products(skip: int = 0, limit: int = 10, session: AsyncSession = Depends(session_of_request)) -> Any:
    listed = select(Product).where(Product.deleted_at.is_(None)).order_by(Product.id).offset(skip).limit(limit)
    return (await session.execute(listed)).scalars().all()


@app.get("/api/v1/products/{product_id}", response_model=ProductOut)
async def product(product_id: int, session: AsyncSession = Depends(session_of_request)) -> Any:
    found = await session.execute(select(Product).where(Product.id == product_id, Product.deleted_at.is_(None)))
    one = found.scalar_one_or_none()
    if one is None:
        raise HTTPException(404, "Product not found")
    return one


@app.get("/api/v1/reviews/product/{product_id}", response_model=List[ReviewOut])
async def reviews(product_id: int, session: AsyncSession = Depends(session_of_request)) -> Any:
    newest = select(Review).where(Review.product_id == product_id).options(joinedload(Review.user))
    newest = newest.order_by(Review.created_at.desc(), Review.id.desc()).limit(20)
    return (await session.execute(newest)).scalars().all()


@app.get("/api/v1/cart/", response_model=CartOut)
async def cart(x_user_id: UUID = Header(), session: AsyncSession = Depends(session_of_request)) -> Any:
    return await cart_of(session, x_user_id)


@app.post("/api/v1/cart/add", response_model=CartOut)
async def add(
    given: AddIn, x_user_id: UUID = Header(), session: AsyncSession = Depends(session_of_request)
) -> Any:
    async with session.begin():
        wanted = await session.get(Product, given.product_id)
        if wanted is None or wanted.stock < given.quantity:
            raise HTTPException(400, "Not enough stock")
        owner = (await session.execute(select(Cart.id).where(Cart.user_id == x_user_id))).scalar_one()
        line = insert(CartItem).values(cart_id=owner, product_id=given.product_id, quantity=given.quantity)
        more = {"quantity": CartItem.quantity + line.excluded.quantity}
        await session.execute(line.on_conflict_do_update(index_elements=["cart_id", "product_id"], set_=more))
        return await cart_of(session, x_user_id)


@app.post("/api/v1/orders/checkout", response_model=OrderOut, status_code=201)
async def checkout(
    given: CheckoutIn, x_user_id: UUID = Header(), session: AsyncSession = Depends(session_of_request)
) -> Any:
    async with session.begin():
        owner = (await session.execute(select(Cart.id).where(Cart.user_id == x_user_id).with_for_update())).scalar_one()
        lines = select(CartItem, Product).join(Product, Product.id == CartItem.product_id)
        locked = lines.where(CartItem.cart_id == owner).order_by(Product.id).with_for_update(of=Product)
        found = (await session.execute(locked)).all()
        if not found:
            raise HTTPException(400, "The cart is empty")
        for line, bought in found:
            if bought.stock < line.quantity:
                raise HTTPException(400, f"Not enough of {bought.name}")
            await session.execute(
                update(Product)
                .where(Product.id == bought.id)
                .values(stock=Product.stock - line.quantity)
                .execution_options(synchronize_session=False)
            )
        to = given.shipping
        order = Order(
            user_id=x_user_id,
            total_price=sum((bought.price * line.quantity for line, bought in found), Decimal("5.99")),
            shipping_first_name=to.first_name,
            shipping_last_name=to.last_name,
            shipping_address=to.address,
            shipping_city=to.city,
            shipping_zip=to.zip_code,
            shipping_country="United States",
            shipping_method="standard",
            shipping_cost=Decimal("5.99"),
            items=[
                OrderItem(
                    product=bought,
                    quantity=line.quantity,
                    price=bought.price,
                    product_name=bought.name,
                    product_image_url=bought.image_url,
                )
                for line, bought in found
            ],
        )
        session.add(order)
        await session.execute(
            delete(CartItem).where(CartItem.cart_id == owner).execution_options(synchronize_session=False)
        )
        await session.flush()
        return order


async def serve() -> None:
    config = uvicorn.Config(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="error", access_log=False)
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    uvloop.install()
    asyncio.run(serve())
